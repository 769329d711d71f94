process.on('exit', (code) => console.log('exit', code));
console.log('waiting for ever');
await new Promise(() => {});
