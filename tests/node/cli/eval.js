// rondo-test: no-file option=-e option={source}
console.log(__filename, __dirname, module.id, typeof require, process.argv.length);
console.log(require('path').basename(module.paths[0]), process.execArgv.length);
