// A database as bytes.
const { DatabaseSync } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const db = new DatabaseSync(':memory:');
db.exec("create table t(x); insert into t values ('kept')");
const bytes = db.serialize();
console.log(bytes.constructor.name, Buffer.from(bytes.subarray(0, 15)).toString(), bytes.length % 4096);
const other = new DatabaseSync(':memory:');
const statement = other.prepare('select 1');
console.log(other.deserialize(bytes));
console.log(other.prepare('select * from t').all());
attempt('statement', () => statement.get());
other.exec("insert into t values ('more')");
console.log(other.prepare('select count(*) as n from t').get(), db.prepare('select count(*) as n from t').get());
for (const args of [[], ['x'], [new Uint8Array(0)], [bytes, 1], [bytes, { dbName: 1 }], [bytes, { dbName: 'nowhere' }]]) {
  attempt(`arguments ${args.length}`, () => other.deserialize(...args));
}
attempt('name', () => db.serialize(1));
attempt('name', () => db.serialize('nowhere'));
// What was never written has a first page.
console.log(new DatabaseSync(':memory:').serialize().length, other.serialize().length % 4096);
db.exec("attach ':memory:' as second");
console.log(db.serialize('second').length);
