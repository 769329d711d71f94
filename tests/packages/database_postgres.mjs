// pg and a real PostgreSQL: SCRAM, types, parameters, transactions, notifications, cancelled and killed sessions, a restart.
import assert from 'node:assert';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { kPassword, startPostgres } from './support/database.mjs';

const database = await startPostgres();
const settings = { host: '127.0.0.1', port: database.port, user: 'test', password: kPassword, database: 'postgres' };
const failure = (error) => [error.constructor.name, error.code, error.message];

await assert.rejects(new pg.Client({ ...settings, password: 'wrong' }).connect(), { code: '28P01' });
await assert.rejects(new pg.Client({ ...settings, database: 'none' }).connect(), { code: '3D000' });

const pool = new pg.Pool({ ...settings, max: 5 });
await pool.query(`CREATE TABLE item (id serial PRIMARY KEY, name text NOT NULL UNIQUE, price numeric(10, 2), tags text[],
  details jsonb, made timestamptz, bytes bytea, large bigint, flag boolean)`);
const values = ['a \u{1f600}', '12.30', ['x', 'y z', '"'], { a: [1, null, 'q'] }, new Date(0), Buffer.from([0, 1, 255]), '9007199254740993', true];
console.log((await pool.query(`INSERT INTO item (name, price, tags, details, made, bytes, large, flag)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *`, values)).rows);
console.log(await pool.query('INSERT INTO item (name) VALUES ($1)', [values[0]]).catch(failure));
console.log(await pool.query('SELECT nothing FROM item').catch(failure));
console.log(await pool.query({ text: 'SELECT 1 AS a, 2 AS a, NULL', rowMode: 'array' }).then(({ rows, fields }) => [rows, fields.map((each) => each.name)]));
console.log((await pool.query('SELECT 1 AS a; SELECT 2 AS b')).map((each) => each.rows));

const named = { name: 'by number', text: 'SELECT $1::int * 2 AS twice' };
const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => pool.query({ ...named, values: [i] })));
assert(answers.every((each, i) => each.rows[0].twice === i * 2));
console.log('500 questions of', pool.totalCount, 'connections');

const { rows } = await pool.query("SELECT i, repeat('x', i % 1000) AS text FROM generate_series(1, 20000) AS i");
console.log(rows.length, rows.reduce((sum, row) => sum + row.text.length, 0));
const large = Buffer.alloc(5_000_000, 'rondo');
const { rows: [{ back }] } = await pool.query('SELECT $1::bytea AS back', [large]);
console.log('5 MB there and back', back.equals(large));

const client = await pool.connect();
await client.query('BEGIN');
await client.query("INSERT INTO item (name) VALUES ('undone')");
console.log(await client.query('SELECT 1 / 0').catch(failure));
console.log(await client.query('SELECT 1').catch(failure));
await client.query('ROLLBACK');
console.log((await client.query('SELECT count(*) FROM item')).rows);

const notification = once(client, 'notification');
await client.query('LISTEN news');
await pool.query("NOTIFY news, 'the text'");
const [{ channel, payload }] = await notification;
console.log(channel, payload);
console.log(await client.query("SET statement_timeout = 50; SELECT pg_sleep(10)").catch(failure));
client.release();

// A session that the server ends fails its query, and the pool makes another.
pool.on('error', (error) => console.log('idle session', error.code));
const victim = await pool.connect();
const { rows: [{ pid }] } = await victim.query('SELECT pg_backend_pid() AS pid');
const cut = victim.query('SELECT pg_sleep(10)').catch((error) => error.code);
victim.on('error', () => {});
await pool.query('SELECT pg_terminate_backend($1)', [pid]);
console.log('cut', await cut);
victim.release(true);
console.log((await pool.query('SELECT 1 AS after')).rows);

pool.removeAllListeners('error').on('error', () => {});
await database.restart();
await setTimeout(50);
console.log((await pool.query('SELECT count(*) FROM item')).rows);
await pool.end();
await database.stop();
console.log('done');
