// rondo-test: option=--throw-deprecation
process.emitWarning('old', 'DeprecationWarning', 'DEP9999');
setTimeout(() => console.log('never'), 10);
