process.emitWarning('simple');
process.emitWarning('typed', 'CustomWarning', 'CODE1');
process.emitWarning('with options', { type: 'T', code: 'C', detail: 'some detail' });
process.emitWarning(new Error('an error object'));
process.emitWarning('dep', 'DeprecationWarning', 'DEP1234');
process.on('warning', (w) => console.log(w.name, w.code, w.message, w.detail));
console.log('warnings are emitted later');
