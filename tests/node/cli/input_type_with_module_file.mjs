// rondo-test: option=--input-type=module
// --input-type is for texts, not for files.
console.log('never');
