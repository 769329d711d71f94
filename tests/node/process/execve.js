'use strict';
for (const args of [[1], ['/bin/true', 1], ['/bin/true', ['a', 1]], ['/bin/true', ['a\0']], ['/bin/true', [], 1], ['/bin/true', [], { a: 1 }], ['/bin/true', [], { a: 'b\0' }], ['/nowhere', ['x']], ['/', []]]) {
  try {
    process.execve(...args);
  } catch (error) {
    console.log(error.name, error.code, error.message, error.syscall, error.path, error.errno);
  }
}
process.on('exit', () => console.log('never'));
console.log('before');
process.execve('/bin/sh', ['sh', '-c', 'echo "$0 $1 $VALUE $#"; exit 7', 'zero', 'one two'], { VALUE: 'v' });
