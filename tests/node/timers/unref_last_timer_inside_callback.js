const far = setTimeout(() => console.log('never'), 100000);
setTimeout(() => { far.unref(); console.log('unref'); }, 5);
process.on('exit', () => console.log('exit'));
