// rondo-test: option=--disable-warning=DEP1
process.emitWarning('hidden', 'DeprecationWarning', 'DEP1');
process.emitWarning('shown', 'DeprecationWarning', 'DEP2');
