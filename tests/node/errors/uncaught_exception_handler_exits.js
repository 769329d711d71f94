process.on('uncaughtException', () => process.exit(6));
setTimeout(() => console.log('never'), 1);
throw new Error('x');
