'use strict';
const { convertProcessSignalToExitCode } = require('util');
console.log(convertProcessSignalToExitCode('SIGTERM'), convertProcessSignalToExitCode('SIGKILL'));
for (const value of ['SIGNONE', 15, undefined]) {
  try {
    convertProcessSignalToExitCode(value);
  } catch (error) {
    console.log(error.code, error.message.slice(0, 50));
  }
}
