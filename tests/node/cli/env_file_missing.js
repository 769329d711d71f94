// rondo-test: option=--env-file=nowhere.env option=--env-file-if-exists=optional.env option=--env-file option=neither.env
console.log('never');
