// rondo-test: scratch
// backup(): a copy, page by page.
const { DatabaseSync, backup } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const db = new DatabaseSync(':memory:');
db.exec('create table t(x); with recursive c(i) as (select 1 union all select i + 1 from c where i < 2000) insert into t select hex(randomblob(20)) from c');
const pages = db.prepare('pragma page_count').get().page_count;
for (const args of [[], [db], [db, 'x', 1], [db, 'x', { rate: 'fast' }], [db, 'x', { rate: 0 }], [db, 'x', { source: 1 }],
  [db, 'x', { target: 1 }], [db, 'x', { progress: 1 }]]) {
  attempt(`arguments ${args.length}`, () => backup(...args));
}
const refuse = async (label, promise) => {
  try { console.log(label, await promise); } catch (error) { console.log(label, error.code, error.errcode, error.message); }
};
(async () => {
  const calls = [];
  const promise = backup(db, 'copy.db', { rate: 10, progress: (p) => calls.push(p) });
  console.log(promise, await promise === pages, calls.length === Math.ceil(pages / 10) - 1, calls.at(-1).totalPages === pages, Object.keys(calls[0]));
  const copy = new DatabaseSync('copy.db');
  console.log(copy.prepare('select count(*) as n from t').get(), backup.length, backup.name);
  await refuse('folder', backup(db, 'none/copy.db'));
  await refuse('source', backup(db, 'other.db', { source: 'nowhere' }));
  await refuse('progress', backup(db, 'third.db', { rate: 1, progress() { throw new Error('in progress'); } }));
  const going = backup(db, 'fourth.db', { rate: 1 });
  db.close();
  await refuse('closed', going.then((n) => n === pages));
  attempt('closed', () => backup(db, 'fifth.db'));
})();
