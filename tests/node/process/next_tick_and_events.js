console.log(typeof process.nextTick, process instanceof require('events'), Object.prototype.toString.call(process), process === require('process'), process === globalThis.process);
console.log(process.title, process.pid > 0, process.ppid > 0, process.platform, typeof process.arch, process.release.name, process.argv.length);
