'use strict';
// `rondo explain`, the command: all that the program prints arrives, however it ends, and its exit code; options.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-explain-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

// `when(child, text)` is called with what has arrived.
function run(args, { when = () => {}, input } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder });
    const result = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        result[name] += text;
        when(child, result[name]);
      });
    }
    child.stdin.end(input);
    child.on('close', (status, signal) => resolve({ status, signal, ...result }));
  });
}

function explain(source, options = [], more = {}) {
  fs.writeFileSync(path.join(folder, 'program.js'), source);
  return run(['explain', ...options, 'program.js'], more);
}

function linesOf(stdout, gutter) {
  return stdout.split('\n').filter((line) => line.startsWith(gutter)).map((line) => line.slice(gutter.length));
}

test('process.exit()', async () => {
  const { status, stdout, stderr } = await explain(`
    console.log('out');
    console.error('error');
    process.on('exit', () => console.log('exit'));
    setTimeout(() => { process.stdout.write('unfinished'); process.exit(3); }, 1);`);
  assert.strictEqual(status, 3);
  assert.strictEqual(stderr, '');
  assert.deepStrictEqual(linesOf(stdout, '┆ '), ['error']);
  assert.deepStrictEqual(linesOf(stdout, '│ '), ['out', 'unfinished']);
  assert.deepStrictEqual(linesOf(stdout, '│…'), ['exit']); // the line continues, after the callback that printed this
  assert.match(stdout, /the loop ended: process\.exit\(\) was called/);
});

test('an exception', async () => {
  const { status, stdout } = await explain(`setImmediate(() => { console.log('before'); throw new Error('mine'); });`);
  assert.strictEqual(status, 1);
  assert.deepStrictEqual(linesOf(stdout, '│ '), ['before']);
  assert(linesOf(stdout, '┆ ').includes('Error: mine'), stdout);
  assert.match(stdout, /the loop ended: an exception was not caught/);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  test(`${signal}, asleep and busy`, async () => {
    for (const wait of ['setInterval(() => {}, 100000)', 'for (;;);', '(function f() { process.nextTick(f); })()']) {
      let isKilled = false;
      const result = await explain(`
        console.log('started');
        setImmediate(() => {
          console.log('listening');
          require('fs').writeFileSync('ready', '');
          ${wait};
        });
        const timer = setInterval(() => {}, 10);
        setTimeout(() => clearInterval(timer), 50);`, ['--limit=100'], {
        when(child) {
          if (isKilled) return;
          isKilled = true;
          const look = setInterval(() => {
            if (!fs.existsSync(path.join(folder, 'ready'))) return;
            clearInterval(look);
            child.kill(signal);
          }, 5);
        },
      });
      fs.rmSync(path.join(folder, 'ready'));
      assert.strictEqual(result.signal, signal, wait);
      assert.deepStrictEqual(linesOf(result.stdout, '│ '), ['started', 'listening'], wait);
      assert.match(result.stdout, /the loop ended: the signal .* ended the process/);
    }
  });
}

test('process.abort()', async () => {
  const { signal, stdout } = await explain(`console.log('last words'); process.abort();`);
  assert.strictEqual(signal, 'SIGABRT');
  assert.deepStrictEqual(linesOf(stdout, '│ '), ['last words']);
});

test('a program that listens for a signal hears of it', async () => {
  const { status, stdout } = await explain(`
    process.on('SIGTERM', () => { console.log('heard'); clearInterval(timer); });
    const timer = setInterval(() => {}, 1000);
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), 5);`);
  assert.strictEqual(status, 0);
  assert.match(stdout, /'SIGTERM' of process .*\n│ heard\n/);
});

test('more than a pipe holds, in one callback', async () => {
  const { stdout } = await explain(`for (let i = 0; i < 60000; i++) console.log('line ' + i + ' '.repeat(60) + '.');`);
  const lines = linesOf(stdout, '│ ');
  assert.strictEqual(lines.length, 60000);
  lines.forEach((line, i) => assert(line.startsWith(`line ${i} `)));
});

test('what children print', async () => {
  const { stdout } = await explain(`
    const { spawnSync, spawn } = require('child_process');
    console.log('before');
    spawnSync('echo', ['sync'], { stdio: 'inherit' });
    spawn('sh', ['-c', 'sleep 0.05; echo async'], { stdio: 'inherit' }).on('exit', () => console.log('after'));`);
  assert.deepStrictEqual(linesOf(stdout, '│ '), ['before', 'sync', 'async', 'after']);
  assert.match(stdout, /'exit' of child process \d+ \(sh -c/);
});

test('output is where it was printed', async () => {
  const { stdout } = await explain(`
    console.log('main');
    process.nextTick(function first() { console.log('first'); });
    process.nextTick(function second() { console.log('second'); });`);
  assert.match(stdout, /#1 .*\n│ main\n#2 .*tick first .*\n│ first\n#3 .*tick second .*\n│ second\n/);
});

test('a line that goes on later', async () => {
  const { stdout } = await explain(`
    process.nextTick(() => process.stdout.write('one, '));
    process.nextTick(() => process.stdout.write('two\\n'));`);
  assert.match(stdout, /#2 .*\n│ one, \n#3 .*\n│…two\n/);
});

test('many callbacks, in bounded memory', async () => {
  const { status, stdout } = await explain(`
    let left = 50000;
    (function again() { if (left-- > 0) process.nextTick(again); })();
    process.on('exit', () => console.log(process.memoryUsage.rss() < 250e6));`, ['--limit=10']);
  assert.strictEqual(status, 0);
  assert.strictEqual(stdout.match(/^#\d+ /gm).length, 10);
  assert.match(stdout, /callbacks are counted, not listed \(--limit=10\)/);
  assert.match(stdout, /50,000 × .*tick again +program\.js:3/);
  assert.deepStrictEqual(linesOf(stdout, '│ '), ['true']);
});

test('as many iterations, however many callbacks are listed', async () => {
  for (const option of ['--limit=1', '--limit=2', '--limit=1000']) {
    const { stdout } = await explain('setImmediate(() => setImmediate(() => setImmediate(() => {})));', [option]);
    assert.match(stdout, /4 callbacks in 4 iterations/);
  }
});

test('iterations without callbacks are printed before what comes after them', async () => {
  const { stdout } = await explain(`
    process.once('beforeExit', () => setImmediate(() => {}));
    process.on('exit', () => console.log('bye'));
    setImmediate(() => {});`);
  const lines = stdout.split('\n').map((line) => line.replace(/^#\d+ +(\S+).*/, '$1'));
  assert.deepStrictEqual(lines.slice(2, lines.indexOf('summary') - 1), ['iteration 1', '  check', 'immediate',
    'iteration 2: nothing was due', 'outside the loop', "'beforeExit'", 'iteration 2 goes on', '  check', 'immediate',
    'iteration 3: nothing was due', 'outside the loop', "'exit'", '│ bye']);
});

test('filters', async () => {
  const source = `setTimeout(() => {}, 1); setImmediate(() => {}); require('./other.js');`;
  fs.writeFileSync(path.join(folder, 'other.js'), 'setTimeout(() => {}, 2);');
  const labels = ({ stdout }) => [...stdout.matchAll(/^#\d+ +(.*?)(?: ← #1)?  /gm)].map(([, label]) => label);
  assert.deepStrictEqual(labels(await explain(source, ['--phase=check'])), ['immediate']);
  assert.deepStrictEqual(labels(await explain(source, ['--phase=main,check'])), ['program.js', 'immediate']);
  assert.deepStrictEqual(labels(await explain(source, ['--file=other'])), ['setTimeout 2 ms']);
  assert.deepStrictEqual(labels(await explain(source, ['--phase', 'timers', '--file', 'other'])), ['setTimeout 2 ms']);
});

test('a refreshed timer is due from then on', async () => {
  const { stdout } = await explain(`
    setTimeout(() => timer.refresh(), 40);
    const timer = setTimeout(() => {}, 60);`, ['--json']);
  const { runs } = JSON.parse(stdout);
  const [refresher, timer] = [40, 60].map((ms) => runs.find(({ label }) => label === `setTimeout ${ms} ms`));
  assert(refresher.begin <= timer.made && timer.made <= refresher.end, stdout);
});

test('two operations at once: either order', async () => {
  const { stdout } = await explain(`
    const fs = require('fs');
    fs.stat(__filename, () => {});
    fs.stat(__dirname, () => {});`);
  assert.strictEqual(stdout.match(/either order: another operation of #1 went on/g)?.length, 1, stdout);
});

// Each in Node 26 comes in both orders, now and then.
test('where the order is open, it is said', async () => {
  const open = {
    'an operation that a promise has started, and an immediate': `
      (async () => { await null; fs.stat(__filename, () => {}); })();
      setImmediate(() => {});`,
    'reading a file, and an immediate': `
      fs.readFile(__filename, () => {});
      setImmediate(() => {});`,
    'an operation of a tick and one of the program': `
      process.nextTick(() => fs.stat(__dirname, () => {}));
      fs.stat(__filename, () => {});`,
    'two children': `
      spawn(process.execPath, ['-e', '']);
      spawn(process.execPath, ['-e', '']);`,
  };
  for (const [what, source] of Object.entries(open)) {
    const { stdout } = await explain(`const fs = require('fs'), { spawn } = require('child_process');${source}`, ['--json']);
    assert.strictEqual(JSON.parse(stdout).notes.length, 1, `${what}: ${stdout}`);
  }
});

test('where the order is fixed, nothing is said', async () => {
  const fixed = {
    'one operation after the other': `fs.stat(__filename, () => fs.stat(__dirname, () => {}));`,
    'an immediate and what an I/O callback starts': `fs.stat(__filename, () => {
      fs.stat(__dirname, () => {});
      setImmediate(() => {});
    });`,
    'writing a file, and an immediate': `
      fs.writeFile(__dirname + '/written', 'x', () => {});
      setImmediate(() => {});`,
    'timers of one duration': 'setTimeout(() => {}, 2); setTimeout(() => {}, 2);',
    'one child after the other': `spawn(process.execPath, ['-e', '']).on('close', () => spawn(process.execPath, ['-e', '']));`,
  };
  for (const [what, source] of Object.entries(fixed)) {
    const { stdout } = await explain(`const fs = require('fs'), { spawn } = require('child_process');${source}`, ['--json']);
    assert.deepStrictEqual(JSON.parse(stdout).notes, [], what);
  }
});

test('a callback that prints much stands before what it prints', async () => {
  const { stdout } = await explain(`
    console.log('first');
    setImmediate(function prints() {
      for (let i = 0; i < 40000; i++) console.log('x'.repeat(100));
    });
    setTimeout(() => console.log('last'), 50);`);
  const lines = stdout.split('\n').filter((line) => /^(#|│|      #)/.test(line));
  const shown = lines.map((line) => line.replace(/^(#\d+ +\S+).*/, '$1').replace(/^( *#\d+ ran).*/, '$1'))
    .filter((line, i, all) => line !== all[i - 1]);
  assert.deepStrictEqual(shown.map((line) => line.trim().replace(/ +/, ' ').slice(0, 16)), [
    '#1 program.js', '│ first', '#2 immediate,', `│ ${'x'.repeat(14)}`, '#2 ran', '#3 setTimeout', '│ last']);
});

test('the error of what has failed, and the function that ran', async () => {
  const source = `
    const fs = require('fs');
    fs.open('nope', function opened() {});
    fs.readFile('nope', function read() {});
    fs.promises.stat('nope').catch(() => {});
    require('net').connect('/nope').on('error', () => {});
    setTimeout(function later() {}, 30);`;
  const { stdout } = await explain(source);
  assert.match(stdout, /open nope: ENOENT, opened\(\)/);
  assert.match(stdout, /setTimeout 30 ms, later\(\)/);
  const { runs } = JSON.parse((await explain(source, ['--json'])).stdout);
  const of = (label) => runs.find((run) => run.label === label);
  assert.deepStrictEqual(of('open nope').callback,
    { file: path.join(folder, 'program.js'), line: 3, column: 36, function: 'opened' });
  assert.strictEqual(of('readFile nope').callback.function, 'read');
  for (const label of ['open nope', 'readFile nope', 'stat nope', 'connect to /nope']) {
    assert.strictEqual(of(label)?.error, 'ENOENT', `${label} ${JSON.stringify(runs, null, 1)}`);
  }
  assert.strictEqual(of('setTimeout 30 ms').error, undefined);
});

test('wrong options', async () => {
  const wrong = {
    '--phase=lunch': /there is no phase "lunch"/,
    '--phase=': /--phase= requires an argument/,
    '--limit=many': /--limit must be a number from 0 to 10000000, not "many"/,
    '--limit=-1': /--limit must be a number/,
    '--json=yes': /--json=yes takes no value/,
    '--file': /--file requires an argument/,
    '--nonsense': /bad option: --nonsense/,
    '--html': /--html requires a file: --html=FILE/,
    '--html=': /--html= requires an argument/,
    '--phase=poll,': /there is no phase ""/,
    '--limit=10000001': /--limit must be a number from 0 to 10000000/,
  };
  for (const [option, message] of Object.entries(wrong)) {
    const { status, stdout, stderr } = await run(['explain', option]);
    assert.strictEqual(status, 9, option);
    assert.match(stderr, message);
    assert.strictEqual(stdout, '');
  }
  const { status, stderr } = await run(['explain']);
  assert.strictEqual(status, 9);
  assert.match(stderr, /^Usage: rondo explain/);
  assert.match((await run(['explain', '--help'])).stdout, /^Usage: rondo explain/);
});

test('a script called explain', async () => {
  fs.writeFileSync(path.join(folder, 'explain'), `console.log('mine', process.argv[2]);`);
  assert.strictEqual((await run(['./explain', 'argument'])).stdout, 'mine argument\n');
});

test('options of rondo, arguments of the script, -e, standard input', async () => {
  fs.writeFileSync(path.join(folder, 'program.js'), `console.log(...process.argv.slice(2), process.execArgv.join());`);
  const { stdout } = await run(['explain', '--limit=5', '--no-warnings', 'program.js', '--json', 'last']);
  assert.deepStrictEqual(linesOf(stdout, '│ '), ['--json last --no-warnings']);
  assert.deepStrictEqual(linesOf((await run(['explain', '-e', 'console.log(6 * 7)'])).stdout, '│ '), ['42']);
  assert.deepStrictEqual(linesOf((await run(['explain', '-'], { input: 'console.log(1)' })).stdout, '│ '), ['1']);
  const read = await explain(`process.stdin.on('data', (data) => console.log('got ' + data));`, [], { input: 'hello' });
  assert.match(read.stdout, /'data' of stdin .*\n│ got hello\n/);
});
