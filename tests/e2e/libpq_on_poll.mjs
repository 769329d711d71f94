// examples/cpp/libpq_on_poll.cpp with a server of PostgreSQL's: queries, more rows than a socket's buffer has room for,
// an error of the server's. Argument: the program.
import assert from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { kPassword, startPostgres } from '../packages/support/database.mjs';

const program = process.argv[2];
const server = await startPostgres();
try {
  const where = `host=127.0.0.1 port=${server.port} user=test dbname=postgres password='${kPassword}'`;
  const queries = [
    'CREATE TABLE points (x int, name text)',
    "INSERT INTO points VALUES (1, 'one'), (2, 'two')",
    'SELECT x, name FROM points ORDER BY x DESC',
  ];
  assert.strictEqual(execFileSync(program, [where, ...queries], { encoding: 'utf8' }), '2\ttwo\t\n1\tone\t\n');

  const many = execFileSync(program, [where, "SELECT repeat('x', 1000) FROM generate_series(1, 5000)"], { maxBuffer: 1e8 });
  assert.strictEqual(many.length, 5000 * 1002);

  const { status, stdout } = spawnSync(program, [where, 'SELECT nothing FROM nowhere', 'SELECT 1'], { encoding: 'utf8' });
  assert.strictEqual(status, 1);
  assert.match(stdout, /^ERROR: {2}relation "nowhere" does not exist/);
} finally {
  await server.stop();
}
