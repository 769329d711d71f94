// rondo-test: scratch
// A database that is open at the end of the program is closed, so that no write-ahead log is left.
const { spawnSync } = require('child_process');
const fs = require('fs');

const { status } = spawnSync(process.execPath, ['--no-warnings', '-e', `
  const { DatabaseSync } = require('node:sqlite');
  globalThis.open = ['a.db', 'b.db', 'c.db'].map((file) => {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (1)');
    return database;
  });
  open[2].close();
  open[2].open();
  globalThis.statement = open[0].prepare('SELECT * FROM t').iterate();
  statement.next();
`]);
console.log(status, fs.readdirSync('.'));
