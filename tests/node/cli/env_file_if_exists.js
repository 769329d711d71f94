// rondo-test: option=--env-file-if-exists=nowhere.env option=--env-file-if-exists=fixtures/env/first.env
console.log(process.env.FIRST);
