process.on('exit', (code) => console.log('exit', code, process.exitCode));
