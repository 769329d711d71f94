// rondo-test: scratch env=TAKEN=from_environment
'use strict';
const fs = require('fs');
const { pathToFileURL } = require('url');

fs.writeFileSync('.env', 'A=1\nB="two\\nlines"\nTAKEN=from_file\n');
fs.writeFileSync('other.env', 'C=\'x # y\' # comment\nexport D = d\n');
process.loadEnvFile();
const { A, B, TAKEN } = process.env;
console.log([A, B, TAKEN], process.loadEnvFile.length);
console.log(process.loadEnvFile(pathToFileURL(fs.realpathSync('other.env'))), process.env.C, process.env.D);
process.env.A = 'changed';
process.loadEnvFile('.env');
console.log(process.env.A);
process.loadEnvFile(Buffer.from('.env'));
process.loadEnvFile(null);

for (const path of ['missing.env', '.', 5, {}, 'a\0b']) {
  try {
    process.loadEnvFile(path);
  } catch (error) {
    console.log(error.name, error.code, error.message, error.syscall, error.path, Object.keys(error));
  }
}
