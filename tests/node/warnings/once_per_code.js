process.emitWarning('first', 'DeprecationWarning', 'DEP1');
process.emitWarning('second, same code', 'DeprecationWarning', 'DEP1');
process.emitWarning('third', 'Warning', 'W1');
process.emitWarning('fourth', 'Warning', 'W1');
