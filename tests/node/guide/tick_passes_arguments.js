process.nextTick((...args) => console.log(args), 1, 'two', { three: 3 }, undefined, null);
process.nextTick(function() { console.log(arguments.length, this === undefined || this === globalThis); });
