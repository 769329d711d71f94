(async () => { await new Promise(() => {}); console.log('never'); })();
process.on('exit', (code) => console.log('exit', code));
