// rondo-test: option=--expose-gc
// close(), counters, and the end of a statement. Garbage collection in all orders.
const { DatabaseSync, StatementSync, Session } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
let db = new DatabaseSync(':memory:');
db.exec('create table t(x); insert into t values (3), (1), (2)');
let statement = db.prepare('select * from t order by x');
statement.all();
for (const name of ['fullscanStep', 'sort', 'autoindex', 'reprepare', 'run', 'filterMiss', 'filterHit']) console.log(name, statement.stat(name));
attempt('memory', () => statement.stat('memused') > 0);
for (const name of [undefined, 1, 'none', 'memUsed']) attempt(String(name), () => statement.stat(name));
console.log(statement.resetStats(), statement.stat('run'), statement.get());
console.log(statement.close());
for (const method of ['get', 'all', 'run', 'iterate', 'columns', 'stat', 'resetStats', 'close', 'setReadBigInts']) attempt(method, () => statement[method]('run'));
attempt('sourceSQL', () => statement.sourceSQL);
attempt('dispose', () => statement[Symbol.dispose]());
{
  using scoped = db.prepare('select 1 as one');
  console.log(scoped.get());
}
attempt('new', () => new StatementSync());
attempt('new', () => new Session());
let iterator = db.prepare('select x from t').iterate();
db = statement = undefined;
gc();
console.log(iterator.next().value, [...iterator].length);
iterator = undefined;
gc();
for (let i = 0; i < 50; i++) {
  const short = new DatabaseSync(':memory:');
  short.exec('create table t(x)');
  short.function('f', () => short);
  short.createSession();
  short.createTagStore().get`select 1`;
  short.prepare('select 1').iterate().next();
}
gc();
console.log('collected');
