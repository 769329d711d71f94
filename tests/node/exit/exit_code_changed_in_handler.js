process.exitCode = 1;
process.on('exit', (code) => { console.log(code); process.exitCode = 42; });
// LIFE-9
