process.on('uncaughtException', () => { process.exitCode = 5; });
throw new Error('x');
