const o = { get bad() { throw new Error('getter'); }, ok: 1 };
o.self = o;
console.log(o);
console.log('%o', { a: [1] });
try {
  console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('from inspect'); } });
} catch (e) {
  console.log('thrown', e.message);
}
