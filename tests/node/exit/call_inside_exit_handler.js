process.on('exit', (code) => { console.log('first', code); process.exit(8); });
process.on('exit', () => console.log('never'));
process.exit(2);
