// rondo-test: env=NODE_PATH=./fixtures/path_folder
console.log(require('by-node-path'));
