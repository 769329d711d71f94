console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.dir('string');
console.dir({ [Symbol.for('nodejs.util.inspect.custom')]: () => 'custom not used' });
console.dirxml({ x: 1 }, [2]);
