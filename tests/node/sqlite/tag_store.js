// Template literals as statements.
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(':memory:');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
db.exec('create table t(id integer primary key, name)');
const sql = db.createTagStore(2);
console.log(sql, sql.capacity, sql.db === db, db.createTagStore().capacity);
attempt('run', () => sql.run`insert into t(name) values (${'a'})`);
attempt('run', () => sql.run`insert into t(name) values (${'b'})`);
console.log(sql.size);
attempt('get', () => sql.get`select * from t where id = ${2}`);
attempt('all', () => sql.all`select * from t where id > ${0}`);
console.log(sql.size);
attempt('iterate', () => [...sql.iterate`select id from t`]);
attempt('placeholder', () => sql.get`select ? as x`);
attempt('syntax', () => sql.get`selec ${1}`);
attempt('no strings', () => sql.get('select 1'));
attempt('no strings', () => sql.get([1]));
for (const size of [0, -1, 1.5, '3', NaN]) attempt(String(size), () => db.createTagStore(size));
sql.clear();
console.log(sql.size);
db.close();
attempt('closed', () => sql.get`select 1`);
db.open();
attempt('open again', () => sql.get`select 1 as one`);
