'use strict';
// Damaged changesets and patchsets, applied to a database of node:sqlite: no crash, only the errors that SQLite has for that,
// and after an error nothing of them is applied.
//     rondo changesets_check.js --seconds=N --seed=N

const assert = require('node:assert');
const { DatabaseSync } = require('node:sqlite');
const { parseArgs } = require('node:util');
const { Random } = require('./random.js');

const kErrors = [11, 20, 21]; // SQLITE_CORRUPT, SQLITE_MISMATCH, SQLITE_MISUSE of an answer that is none

function open() {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE t(a INTEGER PRIMARY KEY, b, c, d);
    CREATE TABLE u(x TEXT, y, PRIMARY KEY(x, y));
    INSERT INTO t VALUES(1, 2, 3, 4), (5, 6, 7, 8)`);
  return database;
}

function content(database) {
  return JSON.stringify(['t', 'u'].map((table) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()));
}

function makeGood() {
  const database = open();
  const session = database.createSession();
  database.exec(`INSERT INTO t VALUES(9, 'text', 1.5, x'0102');
    UPDATE t SET b = 'changed', c = NULL WHERE a = 1;
    DELETE FROM t WHERE a = 5;
    INSERT INTO u VALUES('k', 1)`);
  return [session.changeset(), session.patchset()].map((bytes) => Buffer.from(bytes));
}

function damaged(bytes, random) {
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(bytes.length);
    const any = Buffer.from([random.below(256)]);
    switch (random.below(4)) {
      case 0: bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([bytes[at] ^ 1 << random.below(8)]), bytes.subarray(at + 1)]); break;
      case 1: bytes = bytes.subarray(0, at + 1); break;
      case 2: bytes = Buffer.concat([bytes.subarray(0, at), any, bytes.subarray(at + 1)]); break;
      default: bytes = Buffer.concat([bytes.subarray(0, at), any, bytes.subarray(at)]);
    }
  }
  return bytes;
}

function run(seed, good) {
  const random = new Random(seed);
  const database = open();
  const before = content(database);
  try {
    const isApplied = database.applyChangeset(damaged(random.pick(good), random), { onConflict: () => random.below(3) });
    if (!isApplied) assert.strictEqual(content(database), before);
  } catch (error) {
    assert.ok(kErrors.includes(error.errcode), error);
    assert.strictEqual(content(database), before);
  }
  database.close();
}

const { values } = parseArgs({
  options: {
    'seconds': { type: 'string', default: '20' },
    'seed': { type: 'string', default: '1' },
    'no-address-limit': { type: 'boolean' }, // for another check
  },
});
const good = makeGood();
const end = Date.now() + 1000 * values.seconds;
let seed = Number(values.seed);
try {
  for (; Date.now() < end; seed++) run(seed, good);
} catch (error) {
  console.error(`seed ${seed}: ${error.stack}`);
  process.exitCode = 1;
}
console.log(`${seed - values.seed} changesets`);
