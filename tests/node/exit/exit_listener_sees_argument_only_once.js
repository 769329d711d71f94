let n = 0;
process.on('exit', () => n++);
process.on('exit', () => console.log(n));
process.emit('exit', 0);
