// rondo-test: scratch
// Databases in files: paths, URLs, read-only, another connection.
const { DatabaseSync } = require('node:sqlite');
const { pathToFileURL } = require('node:url');
const fs = require('node:fs');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.code, error.errcode, error.errstr, error.message); }
};
const db = new DatabaseSync('a.db');
db.exec('create table t(x); insert into t values (1), (2)');
console.log(require('node:path').basename(db.location()));
const other = new DatabaseSync(Buffer.from('a.db'));
console.log(other.prepare('select sum(x) as sum from t').get());
const url = pathToFileURL(fs.realpathSync('a.db'));
url.searchParams.set('mode', 'ro');
const third = new DatabaseSync(url);
attempt('url', () => third.prepare('select count(*) as count from t').get());
attempt('url', () => third.exec('insert into t values (3)'));
const readOnly = new DatabaseSync('a.db', { readOnly: true });
attempt('read only', () => readOnly.exec('insert into t values (3)'));
attempt('missing', () => new DatabaseSync('missing.db', { readOnly: true }));
db.exec('begin exclusive');
attempt('locked', () => other.prepare('select * from t').all());
db.exec('commit');
attempt('unlocked', () => other.prepare('select * from t').all());
fs.writeFileSync('bad.db', 'this is not a database, and it is long enough to be looked at'.repeat(40));
attempt('bad', () => new DatabaseSync('bad.db').exec('select * from sqlite_master'));
db.exec("attach 'b.db' as b; create table b.u(y)");
console.log(require('node:path').basename(db.location('b')), db.location('none'));
console.log(fs.readdirSync('.').sort());
