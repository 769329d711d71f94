// Values in both directions.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const echo = db.prepare('select ? as value, typeof(?1) as type');
for (const value of [0, -0, 1, 1.5, NaN, Infinity, -1e300, 2 ** 53, '', 'a', '\u00e4\u20ac\u{1f600}', 'a\0b', '\ud800', 1n, -(2n ** 63n),
  2n ** 63n, true, false, null, undefined, Symbol('s'), new Uint8Array([1, 2]), new Uint8Array(0), new Uint16Array([1, 258]),
  new DataView(new ArrayBuffer(3), 1), Buffer.from('buf'), 'x'.repeat(3000).length, new ArrayBuffer(2)]) {
  attempt(typeof value, () => echo.get(value));
}
attempt('long', () => echo.get('\u00fc'.repeat(5000)).value.length);
attempt('long', () => echo.get('a'.repeat(5000)).value === 'a'.repeat(5000));
attempt('many', () => echo.get(1, 2, 3));
attempt('none', () => echo.get());
const big = db.prepare('select 9007199254740991 as a, -9007199254740991 as b, ? as c');
attempt('safe', () => big.get(9007199254740991n));
attempt('unsafe', () => big.get(9007199254740992n));
attempt('unsafe', () => big.get(-9007199254740992n));
big.setReadBigInts(true);
attempt('big', () => big.get(9007199254740992n));
attempt('run', () => { const s = db.prepare('create table t(x)'); s.setReadBigInts(true); return s.run(); });
attempt('big', () => big.setReadBigInts(1));
attempt('blob', () => { const { v } = db.prepare("select x'00ff' as v").get(); return [v.constructor.name, v.buffer.byteLength]; });
const wide = `select ${Array.from({ length: 40 }, (_, i) => `${i} as c${i}`)}`;
attempt('wide', () => Object.keys(db.prepare(wide).get()).length);
attempt('wide', () => db.prepare(wide, { returnArrays: true }).all()[0].length);
