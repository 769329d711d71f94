// rondo-test: no-file option=./script_without_extension
console.log('found without .js', require('path').basename(__filename), process.argv[1] === __filename.replace(/\.js$/, ''));
