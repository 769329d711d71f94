process.nextTick(() => process.exit(7));
process.nextTick(() => console.log('never'));
