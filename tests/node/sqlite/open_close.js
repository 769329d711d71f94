// Opening and closing, the arguments of both, and what a closed database refuses.
const { DatabaseSync } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const db = new DatabaseSync(':memory:', { open: false });
console.log(db.isOpen, db.location.length, DatabaseSync.length);
attempt('exec', () => db.exec('select 1'));
attempt('prepare', () => db.prepare('select 1'));
attempt('isTransaction', () => db.isTransaction);
attempt('close', () => db.close());
db[Symbol.dispose]();
db.open();
attempt('open', () => db.open());
console.log(db.isOpen, db.isTransaction, db.location());
db.exec('begin');
console.log(db.isTransaction);
db.exec('rollback');
const statement = db.prepare('select 1 as one');
db.close();
attempt('get', () => statement.get());
db.open();
attempt('get', () => statement.get());
console.log(db.prepare('select 2 as two').get());
for (const options of [null, 1, { open: 1 }, { readOnly: 'x' }, { timeout: 1.5 }, { limits: 1 }, { limits: { attach: -1 } },
  { limits: { attach: 'a' } }, { defensive: 0 }, { enableForeignKeyConstraints: 1 }, { enableDoubleQuotedStringLiterals: 1 },
  { allowExtension: 1 }, { readBigInts: 1 }, { returnArrays: 1 }, { allowBareNamedParameters: 1 },
  { allowUnknownNamedParameters: 1 }]) {
  attempt(JSON.stringify(options), () => new DatabaseSync(':memory:', options));
}
for (const path of [undefined, 1, {}, 'a\0b', Buffer.from('a\0'), new URL('http://x'), '/nowhere/at/all.db']) {
  attempt(String(path).replace('\0', '?'), () => new DatabaseSync(path));
}
attempt('call', () => DatabaseSync(':memory:'));
attempt('receiver', () => DatabaseSync.prototype.exec.call({}, 'select 1'));
try { db.prepare('select "x"'); } catch (error) { console.log('double quotes', error.code, error.errcode); }
attempt('double quotes', () => {
  return new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true }).prepare('select "x" as x').get();
});
