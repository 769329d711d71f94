// rondo-test: option=--no-deprecation
process.emitWarning('old', 'DeprecationWarning', 'DEP9999');
console.log(process.noDeprecation);
