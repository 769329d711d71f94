// What a callback of SQLite may not do to the statement and the database that it is called from.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const image = db.serialize();
let action;
let outcome;
db.function('act', () => {
  try { outcome = action(); } catch (error) { outcome = `${error.code} ${error.message}`; }
  return 1;
});
const statement = db.prepare('select act() as x');
const actions = {
  close: () => db.close(),
  dispose: () => db[Symbol.dispose](),
  get: () => statement.get(),
  iterate: () => statement.iterate(),
  'close the statement': () => statement.close(),
  deserialize: () => db.deserialize(image),
  other: () => db.prepare('select 5 as five').get(),
  columns: () => statement.columns().length,
  exec: () => db.exec('create table if not exists made(x)'),
};
for (const [name, run] of Object.entries(actions)) {
  action = run;
  console.log(name, statement.get(), outcome);
}
console.log(db.isOpen, db.prepare('select name from sqlite_master').all());

// An authorizer may do less.
let asked = false;
const use = (name, run) => {
  const s = db.prepare('select 7 as seven');
  asked = false;
  db.setAuthorizer(() => {
    if (!asked) {
      asked = true;
      try { console.log(name, run(s)); } catch (error) { console.log(name, error.code, error.message); }
    }
    return 0;
  });
  db.exec('select 3');
  db.setAuthorizer(null);
};
use('prepare', () => db.prepare('select 1'));
use('exec', () => db.exec('select 1'));
use('get', (s) => s.get());
use('close', () => db.close());
use('function', () => db.function('f', () => 1));
use('setAuthorizer', () => db.setAuthorizer(null));
use('isTransaction', () => db.isTransaction);
use('limits', () => db.limits.attach);
use('limit', () => { db.limits.attach = 1; });
use('sourceSQL', (s) => s.sourceSQL);
use('serialize', () => db.serialize());
use('createSession', () => db.createSession());
