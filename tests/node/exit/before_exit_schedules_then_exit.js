process.once('beforeExit', () => { console.log('beforeExit 1'); setTimeout(() => console.log('more work'), 1); });
process.on('beforeExit', () => console.log('beforeExit 2'));
process.on('exit', () => console.log('exit'));
// LIFE-7
