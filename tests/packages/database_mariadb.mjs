// mysql2 and a real MariaDB: passwords, types, prepared statements, transactions, streams of rows, killed sessions.
import assert from 'node:assert';
import mysql from 'mysql2/promise';
import { kPassword, startMariadb } from './support/database.mjs';

const database = await startMariadb();
const settings = { host: '127.0.0.1', port: database.port, user: 'test', password: kPassword, database: 'test', timezone: 'Z' };
const failure = ({ code, errno, sqlState, message }) => [code, errno, sqlState, message];

await assert.rejects(mysql.createConnection({ ...settings, password: 'wrong' }), { code: 'ER_ACCESS_DENIED_ERROR' });
await assert.rejects(mysql.createConnection({ ...settings, database: 'none' }), { code: 'ER_BAD_DB_ERROR' });

const pool = mysql.createPool({ ...settings, connectionLimit: 4, supportBigNumbers: true, bigNumberStrings: true });
await pool.query(`CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50) CHARACTER SET utf8mb4 UNIQUE, price DECIMAL(10, 2),
  made DATETIME(3), bytes BLOB, large BIGINT, flag BOOLEAN, details JSON)`);
const values = ['a \u{1f600}', '12.30', new Date(1234), Buffer.from([0, 1, 255]), '9007199254740993', true, JSON.stringify({ a: [1, null] })];
const [inserted] = await pool.execute('INSERT INTO item (name, price, made, bytes, large, flag, details) VALUES (?, ?, ?, ?, ?, ?, ?)', values);
console.log(inserted.affectedRows, inserted.insertId);
console.log((await pool.execute('SELECT * FROM item'))[0]);
console.log((await pool.query('SELECT * FROM item'))[0]);
console.log(await pool.execute('INSERT INTO item (name) VALUES (?)', [values[0]]).catch(failure));
console.log(await pool.query('SELECT nothing FROM item').catch(failure));
console.log(mysql.format('SELECT ?, ??, ?', ["it's", 'a`b', { a: 1 }]));

const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => pool.execute('SELECT ? * 2 AS twice', [i])));
assert(answers.every(([[row]], i) => Number(row.twice) === i * 2));
console.log('300 questions');

const connection = await pool.getConnection();
await connection.beginTransaction();
await connection.query("INSERT INTO item (name) VALUES ('undone')");
await connection.rollback();
console.log((await connection.query('SELECT COUNT(*) AS count FROM item'))[0]);

// Row by row, with pauses.
let count = 0;
let length = 0;
const rows = connection.connection.query("SELECT seq, REPEAT('x', seq % 100) AS text FROM seq_1_to_20000").stream({ highWaterMark: 10 });
for await (const row of rows) {
  count++;
  length += row.text.length;
}
console.log(count, length);

const large = Buffer.alloc(3_000_000, 'rondo');
const [[{ back }]] = await connection.query('SELECT ? AS back', [large]);
console.log('3 MB there and back', back.length, Buffer.from(back).equals(large));

const [[{ id }]] = await connection.query('SELECT CONNECTION_ID() AS id');
const cut = connection.query('SELECT SLEEP(10)').catch((error) => error.code);
await pool.query('KILL CONNECTION ?', [Number(id)]);
console.log('cut', await cut);
connection.destroy();
console.log((await pool.query('SELECT 1 AS after'))[0]);
await pool.end();
await database.stop();
console.log('done');
