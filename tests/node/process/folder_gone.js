// rondo-test: scratch
// The working directory was removed.
const { spawnSync } = require('child_process');
const fs = require('fs');
fs.mkdirSync('gone');
process.chdir('gone');
fs.rmdirSync('../gone');
for (const call of [() => process.cwd(), () => require('path').resolve('x'), () => process.chdir('y')]) {
  try {
    console.log(call());
  } catch (error) {
    console.log(error.message, { ...error });
  }
}
const run = (args, input) => spawnSync(process.execPath, args, { input, encoding: 'utf8' });
console.log(run(['-p', '1']).stdout);
console.log(run([__filename.replace('folder_gone.js', 'fixtures/nothing.js')]).status);
// The REPL looks for modules beside the program then.
const script = 'module.paths[1] === require("path").join(process.execPath, "..", "node_modules")\nprocess.exit(42)\n';
const { stdout, status } = run(['-i'], script);
console.log(/> true\n/.test(stdout), status);
