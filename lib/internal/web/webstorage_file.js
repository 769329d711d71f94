'use strict';
// The items of localStorage, in the file of --localstorage-file: a database of SQLite with the tables
// that Node has in it. It is opened when an item is first asked for.

const { DatabaseSync } = require('sqlite');
const QuotaExceededError = require('internal/errors/quota_exceeded_error');

const kVersion = 1;
const kQuotaExceeded = 'QuotaExceeded'; // what a trigger raises

// Keys and values are bytes of UTF-16. Triggers count them, and refuse what is too much.
const kSetUp = `
  PRAGMA encoding = 'UTF-16le';
  PRAGMA busy_timeout = 3000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA temp_store = MEMORY;
  CREATE TABLE IF NOT EXISTS nodejs_webstorage(
    key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY(key)) STRICT;
  CREATE TABLE IF NOT EXISTS nodejs_webstorage_state(
    max_size INTEGER NOT NULL DEFAULT 10485760, total_size INTEGER NOT NULL,
    schema_version INTEGER NOT NULL DEFAULT 0,
    single_row_ INTEGER NOT NULL DEFAULT 1 CHECK(single_row_ = 1), PRIMARY KEY(single_row_)) STRICT;
  CREATE TRIGGER IF NOT EXISTS nodejs_quota_insert AFTER INSERT ON nodejs_webstorage FOR EACH ROW BEGIN
    UPDATE nodejs_webstorage_state SET total_size = total_size + OCTET_LENGTH(NEW.key) + OCTET_LENGTH(NEW.value);
    SELECT RAISE(ABORT, '${kQuotaExceeded}') WHERE EXISTS (
      SELECT 1 FROM nodejs_webstorage_state WHERE total_size > max_size);
  END;
  CREATE TRIGGER IF NOT EXISTS nodejs_quota_update AFTER UPDATE ON nodejs_webstorage FOR EACH ROW BEGIN
    UPDATE nodejs_webstorage_state SET total_size = total_size + OCTET_LENGTH(NEW.key) + OCTET_LENGTH(NEW.value)
      - OCTET_LENGTH(OLD.key) - OCTET_LENGTH(OLD.value);
    SELECT RAISE(ABORT, '${kQuotaExceeded}') WHERE EXISTS (
      SELECT 1 FROM nodejs_webstorage_state WHERE total_size > max_size);
  END;
  CREATE TRIGGER IF NOT EXISTS nodejs_quota_delete AFTER DELETE ON nodejs_webstorage FOR EACH ROW BEGIN
    UPDATE nodejs_webstorage_state SET total_size = total_size - OCTET_LENGTH(OLD.key) - OCTET_LENGTH(OLD.value);
  END;
  INSERT OR IGNORE INTO nodejs_webstorage_state (total_size) VALUES (0);
`;

function encode(text) {
  return Buffer.from(text, 'utf16le');
}

function decode({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}

// Made in C++ in Node: the code is not in the stack.
function invalidState(message) {
  const error = new Error(message);
  error.code = 'ERR_INVALID_STATE';
  return error;
}

// The errors of SQLite, as Node throws them here.
function translate(error) {
  if (error.message === kQuotaExceeded) return new QuotaExceededError('Setting the value exceeded the quota');
  if (error.code !== 'ERR_SQLITE_ERROR') return error;
  return invalidState(error.message);
}

class FileItems {
  #file;
  #database;
  #statements = new Map();

  constructor(file) {
    this.#file = file;
  }

  #open() {
    const database = new DatabaseSync(this.#file);
    try {
      // The SQLite that is built in may be older than Node's, whose triggers call this.
      database.function('octet_length', { deterministic: true }, (bytes) => bytes.byteLength);
      database.exec(kSetUp);
      const { schema_version: version } =
        database.prepare('SELECT schema_version FROM nodejs_webstorage_state').get();
      if (version > kVersion) {
        throw invalidState('localStorage was created with a newer version of Node.js');
      }
      if (version < kVersion) {
        database.exec(`UPDATE nodejs_webstorage_state SET schema_version = ${kVersion}`);
      }
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
  }

  #run(method, sql, ...values) {
    try {
      if (this.#database === undefined) this.#open();
      let statement = this.#statements.get(sql);
      if (statement === undefined) {
        statement = this.#database.prepare(sql);
        this.#statements.set(sql, statement);
      }
      return statement[method](...values);
    } catch (error) {
      throw translate(error);
    }
  }

  get length() {
    return this.#run('get', 'SELECT COUNT(*) AS count FROM nodejs_webstorage').count;
  }

  sortedKeys() {
    return this.#run('all', 'SELECT key FROM nodejs_webstorage ORDER BY key').map(({ key }) => decode(key));
  }

  get(key) {
    const row = this.#run('get', 'SELECT value FROM nodejs_webstorage WHERE key = ?', encode(key));
    return row === undefined ? undefined : decode(row.value);
  }

  has(key) {
    return this.#run('get', 'SELECT 1 FROM nodejs_webstorage WHERE key = ?', encode(key)) !== undefined;
  }

  set(key, text) {
    this.#run('run', 'INSERT INTO nodejs_webstorage (key, value) VALUES (?, ?) ON CONFLICT (key) ' +
      'DO UPDATE SET value = excluded.value WHERE value <> excluded.value', encode(key), encode(text));
  }

  delete(key) {
    this.#run('run', 'DELETE FROM nodejs_webstorage WHERE key = ?', encode(key));
  }

  clear() {
    this.#run('run', 'DELETE FROM nodejs_webstorage');
  }
}

module.exports = { FileItems };
