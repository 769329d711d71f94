// Bytes that are not a changeset, or only almost one: they are rejected, and nothing is applied.
const { DatabaseSync } = require('node:sqlite');

function open() {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t(a INTEGER PRIMARY KEY, b, c, d)');
  return database;
}

function apply(name, bytes) {
  const database = open();
  try {
    console.log(name, database.applyChangeset(bytes));
  } catch (error) {
    console.log(name, error.code, error.errcode, error.message);
  }
  console.log(database.prepare('SELECT count(*) AS rows FROM t').get().rows);
}

const hex = (text) => Buffer.from(text.replace(/ /g, ''), 'hex');
apply('empty', hex(''));
apply('not a table', hex('00'));
apply('no columns', hex('54 00 7400'));
apply('no name', hex('54 04 01000000 74'));
apply('only a table', hex('54 04 01000000 7400'));
apply('update without a key', hex('54 04 01000000 7400 17 7e 00 72286565286565'));
apply('key undefined', hex('54 04 01000000 7400 17 00 00 05 05 05 00 05 05 05'));
apply('delete, key undefined', hex('54 04 01000000 7400 09 00 00 05 05 05'));
apply('ends in an integer', hex('54 04 01000000 7400 12 00 01 00000000'));
apply('ends in a text', hex('54 04 01000000 7400 12 00 01 0000000000000001 03 7f 61'));
apply('insert', hex('54 04 01000000 7400 12 00 01 0000000000000001 03 01 61 05 05'));
apply('patchset', hex('50 04 01000000 7400 12 00 01 0000000000000001 03 01 61 05 05'));
apply('insert, then cut off', hex('54 04 01000000 7400 12 00 01 0000000000000001 03 01 61 05 05 12 00 01 00'));

// A whole one, cut off anywhere: an error, or a part that is whole itself.
const source = open();
const session = source.createSession();
source.exec("INSERT INTO t VALUES(1, 'one', 1.5, x'0102'), (2, 'two', 2.5, NULL)");
for (const bytes of [session.changeset(), session.patchset()]) {
  const accepted = [];
  for (let size = 0; size <= bytes.length; ++size) {
    try {
      if (open().applyChangeset(bytes.subarray(0, size))) accepted.push(size);
    } catch (error) {
      if (error.errcode !== 11) console.log(size, error.message);
    }
  }
  console.log(bytes.length, accepted.length);
}
