// rondo-test: scratch
// Loading extensions: refused unless it was allowed.
const { DatabaseSync } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message.slice(0, 60)); }
};
const db = new DatabaseSync(':memory:');
attempt('load', () => db.loadExtension('./none'));
attempt('enable', () => db.enableLoadExtension(true));
attempt('disable', () => db.enableLoadExtension(false));
attempt('sql', () => db.prepare("select load_extension('x')").get());
const allowed = new DatabaseSync(':memory:', { allowExtension: true });
attempt('missing', () => allowed.loadExtension('./none'));
attempt('path', () => allowed.loadExtension(1));
allowed.enableLoadExtension(false);
attempt('disabled', () => allowed.loadExtension('./none'));
attempt('argument', () => allowed.enableLoadExtension());
attempt('defensive', () => db.enableDefensive(1));
attempt('defensive', () => db.exec('pragma writable_schema = 1; create table t(x); delete from sqlite_schema'));
db.enableDefensive(false);
attempt('not', () => db.exec('pragma writable_schema = 1; delete from sqlite_schema'));
