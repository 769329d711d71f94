// rondo-test: scratch
const fs = require('fs');
fs.mkdirSync('sub');
console.log(process.cwd());
process.chdir('sub');
console.log(process.cwd());
try {
  process.chdir('not-there');
} catch (e) {
  console.log(e.code, e.syscall, e.dest, e.message);
}
