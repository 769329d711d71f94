process.exitCode = 9;
setTimeout(() => console.log('still runs'), 1);
