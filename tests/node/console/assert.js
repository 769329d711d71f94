console.assert(true, 'not printed');
console.assert(false);
console.assert(false, 'message %s', 'formatted', { a: 1 });
console.assert(0, { object: true });
