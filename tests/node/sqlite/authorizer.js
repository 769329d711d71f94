// setAuthorizer(): what is asked and what the answers do.
const { DatabaseSync, constants } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const names = new Map(Object.entries(constants).filter(([name]) => !/CHANGESET|_OK|_DENY|_IGNORE|_COPY/.test(name)).map(([name, value]) => [value, name]));
const db = new DatabaseSync(':memory:');
db.exec('create table t(a, b); insert into t values (1, 2)');
db.setAuthorizer((action, ...rest) => { console.log(names.get(action), rest); return constants.SQLITE_OK; });
attempt('select', () => db.prepare('select a from t').get());
db.setAuthorizer((action, table, column) => action === constants.SQLITE_READ && column === 'b' ? constants.SQLITE_IGNORE : constants.SQLITE_OK);
attempt('ignore', () => db.prepare('select a, b from t').get());
db.setAuthorizer((action) => action === constants.SQLITE_DELETE ? constants.SQLITE_DENY : constants.SQLITE_OK);
attempt('deny', () => db.exec('delete from t'));
for (const answer of ['yes', 5, undefined, 1.5]) {
  db.setAuthorizer(() => answer);
  attempt(String(answer), () => db.prepare('select 1'));
}
db.setAuthorizer(() => { throw new Error('in the authorizer'); });
attempt('throws', () => db.exec('select 1'));
db.setAuthorizer(null);
attempt('none', () => db.prepare('select count(*) as n from t').get());
attempt('argument', () => db.setAuthorizer(1));
attempt('argument', () => db.setAuthorizer());
