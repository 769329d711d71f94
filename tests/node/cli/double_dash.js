// rondo-test: no-file option=-- option=./double_dash.js option=--flag
console.log(process.argv.slice(2));
