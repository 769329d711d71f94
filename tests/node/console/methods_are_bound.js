const { log, error } = console;
log('unbound log');
[1, 2].forEach((x) => error(x));
console.log(Object.keys(console).slice(0, 19).join(' '));
console.log(console.log.name, Object.prototype.toString.call(console), typeof console._stdout);
