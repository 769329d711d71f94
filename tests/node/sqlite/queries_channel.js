// The channel sqlite.db.query.
const { DatabaseSync } = require('node:sqlite');
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const db = new DatabaseSync(':memory:');
const listen = (message, name) => {
  console.log(name, message.sql, message.database === db, typeof message.duration, Object.getPrototypeOf(message), Object.keys(message));
};
db.exec('create table t(x)');
subscribe('sqlite.db.query', listen);
db.exec("insert into t values (1); insert into t values ('b')");
const select = db.prepare('select * from t where x = ?');
select.get('it\'s');
select.all(1);
console.log([...select.iterate(1)]);
new DatabaseSync(':memory:').prepare('select 1').run();
try { db.exec('nonsense'); } catch (error) { console.log(error.message); }
unsubscribe('sqlite.db.query', listen);
db.exec('insert into t values (2)');
console.log('silent');
