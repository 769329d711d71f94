let n = 0;
setInterval(() => n++, 1).unref();
setTimeout(() => console.log('interval ran meanwhile:', n > 2), 100);
process.on('exit', () => console.log('exit'));
