// Aggregates and window functions of JavaScript.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
db.exec('create table t(g, x); insert into t values (1, 10), (1, 20), (2, 30), (2, 40), (3, 50)');
db.aggregate('total', { start: 0, step: (sum, x) => sum + x });
attempt('total', () => db.prepare('select g, total(x) as sum from t group by g').all());
attempt('none', () => db.prepare('select total(x) as sum from t where 0').get());
db.aggregate('list', { start: () => [], step: (list, x) => { list.push(x); return list; }, result: (list) => list.join(' ') });
attempt('list', () => db.prepare('select list(x) as l from t').get());
attempt('list', () => db.prepare('select list(x) as l from t where 0').get());
db.aggregate('moving', { start: 0, step: (sum, x) => sum + x, inverse: (sum, x) => sum - x, result: (sum) => sum });
attempt('window', () => {
  return db.prepare('select x, moving(x) over (order by x rows between 1 preceding and current row) as m from t').all();
});
attempt('no inverse', () => db.prepare('select total(x) over (order by x) from t').all());
db.aggregate('any', { start: 0, varargs: true, step: (n, ...xs) => n + xs.length });
attempt('varargs', () => db.prepare('select any(x, g, 1) as n from t').get());
db.aggregate('bigs', { start: 0n, useBigIntArguments: true, step: (sum, x) => sum + x });
attempt('big', () => db.prepare('select bigs(x) as n from t').get());
db.aggregate('bad_start', { start: () => { throw new Error('start'); }, step: (s) => s });
db.aggregate('bad_step', { start: 0, step: (s, x) => { throw new Error('step'); }, result: () => console.log('not called') });
db.aggregate('bad_result', { start: 0, step: (s, x) => s, result: () => { throw new Error('result'); } });
for (const name of ['bad_start', 'bad_result']) attempt(name, () => db.prepare(`select ${name}(x) from t`).all());
attempt('object', () => { db.aggregate('o', { start: () => ({}), step: (s, x) => s }); return db.prepare('select o(x) from t').get(); });
for (const options of [undefined, {}, { start: 0 }, { start: 0, step: 1 }, { start: 0, step() {}, inverse: 1 },
  { start: 0, step() {}, varargs: 1 }, { start: 0, step() {}, useBigIntArguments: 1 }, { start: 0, step() {}, directOnly: 1 }]) {
  attempt(JSON.stringify(options), () => db.aggregate('x', options));
}
attempt('again', () => db.prepare('select total(x) as sum from t').get());
// An iteration that is left in the middle, and closed with the database.
const windows = db.prepare('select moving(x) over (order by x rows 1 preceding) as m from t').iterate();
console.log(windows.next());
db.close();
attempt('closed', () => windows.next());
