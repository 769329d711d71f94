// Sessions, changesets and conflicts.
const { DatabaseSync, constants } = require('node:sqlite');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
const make = () => {
  const made = new DatabaseSync(':memory:');
  made.exec('create table t(k integer primary key, v); create table u(k integer primary key)');
  return made;
};
const db = make();
const session = db.createSession();
const onlyT = db.createSession({ table: 't' });
db.exec("insert into t values (1, 'a'), (2, 'b'); insert into u values (9); update t set v = 'c' where k = 1");
const changes = session.changeset();
console.log(changes.constructor.name, onlyT.changeset().length < changes.length, session.patchset().length > 0);
const target = make();
attempt('apply', () => target.applyChangeset(changes));
attempt('rows', () => target.prepare('select * from t').all());
attempt('again', () => target.applyChangeset(changes));
const kinds = Object.entries(constants).filter(([name]) => /CHANGESET_(DATA|NOT|CON|FOR)/.test(name));
for (const answer of [constants.SQLITE_CHANGESET_OMIT, constants.SQLITE_CHANGESET_REPLACE, constants.SQLITE_CHANGESET_ABORT, 99, 'x']) {
  attempt(`answer ${answer}`, () => target.applyChangeset(changes, {
    onConflict(kind) { console.log(kinds.find(([, value]) => value === kind)[0]); return answer; },
  }));
}
attempt('throws', () => target.applyChangeset(changes, { onConflict() { throw new Error('in a conflict'); } }));
const second = make();
attempt('filter', () => second.applyChangeset(changes, { filter: (table) => { console.log(table); return table === 'u'; } }));
attempt('rows', () => [second.prepare('select * from t').all(), second.prepare('select * from u').all()]);
attempt('filter throws', () => make().applyChangeset(changes, { filter() { throw new Error('in a filter'); } }));
for (const args of [[], [1], [changes, 1], [changes, { filter: 1 }], [changes, { onConflict: 1 }], [new Uint8Array(3)], [new Uint8Array(0)]]) {
  attempt(`arguments ${args.length}`, () => make().applyChangeset(...args));
}
for (const options of [1, { table: 1 }, { db: 1 }, { table: undefined }, { db: 'nowhere' }]) {
  attempt(JSON.stringify(options), () => db.createSession(options));
}
console.log(onlyT.close());
attempt('closed', () => onlyT.changeset());
attempt('closed', () => onlyT.close());
onlyT[Symbol.dispose]();
db.close();
attempt('database closed', () => session.changeset());
