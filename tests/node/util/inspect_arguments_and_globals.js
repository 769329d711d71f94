(function() { console.log(arguments, (function*() {})()); })(1, 'two');
console.log(Math, JSON, Reflect, Atomics, Intl, globalThis === global);
