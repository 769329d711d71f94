// Database servers for the scripts: each on a free port of 127.0.0.1, with a data folder of its own, ended with its script.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { freePort } from './free_port.mjs';

const kAttempts = 5;
const kStartMs = 30_000;

async function accepts(port) {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

// The user that a server runs as: PostgreSQL refuses to run as root.
function userOf(name) {
  if (process.getuid() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8').split('\n').find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

// The kernel ends the server when this process is killed. setpriv sets that after the change of the user.
function startServer(program, parameters, { uid, gid }, folder) {
  const user = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return spawn('setpriv', [...user, '--pdeathsig=KILL', program, ...parameters], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}

// Resolves to { port, restart(), stop() } when the server accepts connections. Another program may take the port first: then again,
// with another port.
async function serve({ name, user = 'root', prepare, command, isReady = accepts, stopSignal }) {
  const owner = userOf(user);
  const folder = mkdtempSync(join(tmpdir(), `rondo-${name}-`));
  let child;
  let port;
  let exited;
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  process.on('exit', () => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  prepare?.(folder, owner);

  async function start() {
    let output = '';
    child = startServer(...command(folder, port), owner, folder);
    exited = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { output += text; });
    const end = Date.now() + kStartMs;
    while (child.exitCode === null && child.signalCode === null && Date.now() < end) {
      if (await isReady(port)) return;
      await setTimeout(20);
    }
    throw new Error(`${name} did not start on port ${port}: ${output}`);
  }
  async function end(signal) {
    child.kill(signal);
    await exited;
  }

  for (let attempt = 1; ; attempt++) {
    port = await freePort();
    try {
      await start();
      break;
    } catch (error) {
      if (attempt === kAttempts) throw error;
    }
  }
  return {
    port,
    async restart(signal = stopSignal) {
      await end(signal);
      await start();
    },
    stop: () => end(stopSignal),
  };
}

export const kPassword = 'secret of the tests';

export function startPostgres() {
  const root = '/usr/lib/postgresql';
  const newest = readdirSync(root).sort((a, b) => b - a)[0];
  const program = (name) => join(root, newest, 'bin', name);
  return serve({
    name: 'postgres',
    user: 'postgres',
    prepare(folder, owner) {
      const password = join(folder, 'password');
      writeFileSync(password, `${kPassword}\n`);
      if (owner.uid !== undefined) chownSync(password, owner.uid, owner.gid);
      execFileSync(program('initdb'), [
        '--pgdata=data', '--username=test', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync',
      ], { ...owner, cwd: folder, stdio: 'pipe' });
    },
    command: (folder, port) => [program('postgres'), [
      '-D', 'data', '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off',
      '-c', 'max_connections=20', '-c', 'shared_buffers=16MB', '-c', 'timezone=UTC',
    ]],
    // It accepts connections, and refuses them, while it starts.
    isReady: (port) => new Promise((resolve) => {
      execFile(program('pg_isready'), ['--host=127.0.0.1', `--port=${port}`], (error) => resolve(error === null));
    }),
    // "Fast shutdown": it does not wait for clients.
    stopSignal: 'SIGINT',
  });
}

export function startMariadb() {
  const installer = '/usr/bin/mariadb-install-db';
  return serve({
    name: 'mariadb',
    prepare(folder) {
      // A statement each line.
      const statements = ['CREATE DATABASE test', `CREATE USER 'test'@'%' IDENTIFIED BY '${kPassword}'`, "GRANT ALL ON *.* TO 'test'@'%'"];
      writeFileSync(join(folder, 'init.sql'), `${statements.join(';\n')};\n`);
      const data = join(folder, 'data');
      execFileSync(installer, [
        '--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=4M',
      ], { stdio: 'pipe', env: { ...process.env, TMPDIR: folder } }); // its temporary tables are files there
    },
    command: (folder, port) => ['/usr/sbin/mariadbd', [
      '--no-defaults', `--datadir=${join(folder, 'data')}`, `--port=${port}`, '--bind-address=127.0.0.1', '--innodb-log-file-size=4M',
      `--socket=${join(folder, 'socket')}`, `--tmpdir=${folder}`, `--init-file=${join(folder, 'init.sql')}`, '--skip-name-resolve', '--innodb-flush-log-at-trx-commit=0',
      ...(process.getuid() === 0 ? ['--user=root'] : []),
    ]],
    stopSignal: 'SIGTERM',
  });
}

export function startRedis() {
  return serve({
    name: 'redis',
    command: (folder, port) => ['/usr/bin/redis-server', [
      '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no', '--requirepass', kPassword,
    ]],
    stopSignal: 'SIGTERM',
  });
}
