process.on('exit', (code) => console.log('exit', code, process.exitCode));
process.exit(3);
