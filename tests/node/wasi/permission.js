// rondo-test: option=--no-warnings option=--permission option=--allow-fs-read=*
const { WASI } = require('wasi');

try {
  new WASI({ version: 'preview1' });
} catch (error) {
  console.log(error.code, error.permission, error.message);
}
console.log(process.permission.has('wasi'));
