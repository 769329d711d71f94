process.kill(process.pid, 'SIGTERM');
setTimeout(() => console.log('never'), 10000);
