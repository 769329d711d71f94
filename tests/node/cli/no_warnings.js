// rondo-test: option=--no-warnings
process.emitWarning('not printed');
process.on('warning', (w) => console.log('event', w.message));
