// Functions of JavaScript in SQL.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message, error.errcode); }
};
db.function('show', function(...args) { return `${this === undefined} ${args.length}`; });
db.function('add', (a, b) => a + b);
db.function('many', { varargs: true }, (...args) => args.map((a) => a === null ? 'null' : a.constructor.name).join());
db.function('big', { useBigIntArguments: true }, (a) => `${typeof a} ${a}`);
db.function('give', (i) => [null, undefined, 1.5, 'text', 7n, new Uint8Array([1, 2]), 2n ** 64n, {}, Promise.resolve(), true][i]);
db.function('fail', () => { throw new RangeError('thrown in a function'); });
attempt('show', () => db.prepare('select show() as x').get());
attempt('add', () => db.prepare('select add(1, 2) as x, add(\'a\', \'b\') as y').get());
attempt('add', () => db.prepare('select add(1) as x').get());
attempt('many', () => db.prepare('select many(1, 1.5, \'t\', null, x\'00\') as x').get());
attempt('big', () => db.prepare('select big(9007199254740993) as x').get());
attempt('large', () => db.prepare('select add(9007199254740993, 1) as x').get());
for (let i = 0; i < 10; i++) attempt(`give ${i}`, () => db.prepare('select give(?) as x').get(i));
attempt('fail', () => db.prepare('select fail() as x').get());
attempt('fail', () => db.exec('select fail()'));
attempt('after', () => db.prepare('select add(1, 1) as x').get());
db.function('add', (a, b) => a * b);
attempt('replaced', () => db.prepare('select add(3, 4) as x').get());
db.function('pure', { deterministic: true }, (x) => x);
db.exec('create table t(x); create index i on t(pure(x))');
attempt('index', () => db.exec('create index j on t(add(x, 1))'));
db.function('direct', { directOnly: true }, () => 1);
attempt('view', () => { db.exec('create view v as select direct() as d'); return db.prepare('select * from v').get(); });
for (const args of [[], ['x'], ['x', 1], ['x', {}, 1], ['x', 1, () => {}], ['x', { varargs: 1 }, () => {}], ['x', { deterministic: 1 }, () => {}],
  ['x', { useBigIntArguments: 1 }, () => {}], ['x', { directOnly: 1 }, () => {}],
  ['x', Object.defineProperty(() => {}, 'length', { value: 'long' })]]) {
  attempt(JSON.stringify(args), () => db.function(...args));
}
// A function that uses the database.
db.exec('create table log(line)');
const insert = db.prepare('insert into log values (?)');
db.function('log', (line) => { insert.run(line); return db.prepare('select count(*) as n from log').get().n; });
attempt('nested', () => db.prepare("select log('a') as x, log('b') as y").get());
