// Named, bare and numbered parameters.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const named = db.prepare('select $a as a, :b as b, @c as c');
attempt('bare', () => named.get({ a: 1, b: 2, c: 3 }));
attempt('full', () => named.get({ $a: 1, ':b': 2, '@c': 3 }));
attempt('missing', () => named.get({ a: 1 }));
attempt('unknown', () => named.get({ d: 1 }));
named.setAllowUnknownNamedParameters(true);
attempt('unknown', () => named.get({ d: 1, a: 4 }));
named.setAllowBareNamedParameters(false);
attempt('bare', () => named.get({ a: 1, $a: 2 }));
attempt('conflict', () => db.prepare('select $a as x, @a as y').get({ a: 1 }));
attempt('same', () => db.prepare('select $a as x, $a as y').get({ a: 1 }));
attempt('numbers', () => db.prepare('select ?2 as x, ?1 as y, ? as z').get('one', 'two', 'three'));
attempt('mixed', () => db.prepare('select $a as x, ? as y, ? as z').get({ a: 1 }, 2, 3));
attempt('getter', () => db.prepare('select $a as x').get({ get a() { throw new Error('from the getter'); } }));
attempt('inherited', () => db.prepare('select $a as x').get(Object.create({ a: 1 })));
attempt('function', () => db.prepare('select ? as x').get(() => 1));
attempt('setter', () => named.setAllowBareNamedParameters());
attempt('setter', () => named.setAllowUnknownNamedParameters(null));
const sql = db.prepare('select ? as a, $b as b -- end');
sql.get({ b: 'it\'s' }, 1.5);
console.log(sql.sourceSQL, sql.expandedSQL);
console.log(db.prepare('select 1 as x', { allowBareNamedParameters: false, readBigInts: true }).get());
console.log(db.prepare('select id, x.y as z from (select 1 as id, 2 as y) x').columns());
db.exec('create table t(id integer primary key, n text collate nocase)');
console.log(db.prepare('select id as other, n, n || 1 from t').columns());
