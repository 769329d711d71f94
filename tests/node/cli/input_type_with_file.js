// rondo-test: option=--input-type=module
console.log('a file: the option means nothing');
