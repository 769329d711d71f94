// A callback never comes before the call returns, even when the error is known at once.
const fs = require('fs');
let returned = false;
fs.readFile('/not/there', (error) => {
  console.log(returned, error.code, error.syscall, error.path, error.message);
  fs.stat('/not/there', (e) => console.log(e.code, e.errno, e.syscall));
});
returned = true;
// ASYNC-1
