// get, all, iterate, run: what they give, and the order of properties.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
console.log(db.exec('create table t(id integer primary key, name text); insert into t(name) values (\'a\'), (\'b\'), (\'c\')'));
const select = db.prepare('select * from t where id > ? order by id');
console.log(select.get(0), select.get(5), select.all(1), select.all(9));
console.log(Object.getPrototypeOf(select.get(0)), Object.getPrototypeOf(select.all(0)[0]));
console.log(db.prepare('insert into t(name) values (?)').run('d'), db.prepare('update t set name = 1').run());
console.log(db.prepare('select 1 as a, 2 as b, 3 as a').get(), db.prepare('select 1 as "5", 2 as "1", 3 as x').get());
select.setReturnArrays(true);
console.log(select.get(0), select.all(2));
attempt('arrays', () => select.setReturnArrays('x'));
select.setReturnArrays(false);

const iterator = select.iterate(1);
console.log(iterator, iterator.next(), iterator[Symbol.iterator]() === iterator);
console.log([...iterator], iterator.next(), iterator.return());
console.log(select.iterate(0).map((row) => row.id).take(2).toArray());
for (const row of select.iterate(0)) {
  console.log(row);
  if (row.id === 2) break;
}
const first = select.iterate(0);
first.next();
const second = select.iterate(0);
attempt('first', () => first.next());
attempt('second', () => second.next());
console.log(db.prepare('create table u(x)').get(), db.prepare('create table w(x)').all(), db.prepare('select 1').run());
db.exec('create table v(a)');
const star = db.prepare('select * from v');
db.exec('insert into v values (1)');
console.log(star.get());
db.exec('alter table v add column b default 7');
console.log(star.get(), star.all(), [...star.iterate()]);
attempt('empty', () => db.prepare(''));
attempt('comment', () => db.prepare('-- nothing'));
attempt('two', () => db.prepare('select 1; nonsense').all());
attempt('syntax', () => db.prepare('selec'));
attempt('type', () => db.prepare(1));
attempt('options', () => db.prepare('select 1', { persistent: 1 }));
