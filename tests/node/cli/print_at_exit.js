// rondo-test: no-file option=-p option={source}
setImmediate(() => process.exit(3));
new Promise(() => {});
