process.on('beforeExit', () => console.log('never'));
process.exit();
// LIFE-10
