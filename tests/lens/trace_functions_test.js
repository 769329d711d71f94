'use strict';
// `rondo --trace-loop`: each callback shows the function that ran.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-trace-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function trace(source, ...options) {
  const file = path.join(folder, 'trace.json');
  const program = path.join(folder, 'program.js');
  fs.writeFileSync(program, source);
  const { status, stderr } = spawnSync(process.execPath, [...options, `--trace-loop=${file}`, program], { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
  return JSON.parse(fs.readFileSync(file, 'utf8')).filter((event) => event.ph === 'X' && event.args?.id !== undefined)
    .map(({ cat, name, args }) => ({ cat, name, callback: args.callback?.replace(folder, '.') }));
}

const kProgram = `const fs = require('fs');
function once() {}
setTimeout(once, 1);
setTimeout(function second() {}, 1);
const timer = setInterval(function every() { if (++runs === 2) clearInterval(timer); }, 1);
let runs = 0;
setImmediate(function now() {});
process.nextTick(function tick() {});
process.nextTick(function withArgument() {}, 1);
queueMicrotask(function micro() {});
fs.stat('.', function stated() {});
const server = require('net').createServer(function met(socket) { socket.end(); server.close(); });
server.listen(0, '127.0.0.1', () => require('net').connect(server.address().port, '127.0.0.1').resume().once('end', function ended() {}));
setTimeout(once, 2);
class Task extends require('async_hooks').AsyncResource { get callback() { throw new Error('not to be read'); } }
setImmediate((task) => task.runInAsyncScope(function inTask() {}), new Task('Task'));
`;

// "work (./program.js:3:14)" for `function work(...`: V8 says where its parameters begin.
function placed(name) {
  const before = kProgram.slice(0, kProgram.indexOf(`function ${name}(`)).split('\n');
  return `${name} (./program.js:${before.length}:${before.at(-1).length + 'function '.length + name.length + 1})`;
}

for (const options of [[], ['--lens=0']]) {
  test(`functions are in the arguments ${options}`, () => {
    const slices = trace(kProgram, ...options);
    const callbacksOf = (kind) => slices.filter(({ cat }) => cat === kind).map(({ callback }) => callback);
    assert.deepStrictEqual(callbacksOf('timeout').filter(Boolean).sort(),
      [placed('once'), placed('once'), placed('second')]);
    assert.deepStrictEqual(callbacksOf('interval'), Array(2).fill(placed('every')));
    assert.deepStrictEqual(callbacksOf('immediate').filter(Boolean), [placed('now'), './program.js:16:14']);
    assert.ok(callbacksOf('resource').includes(placed('inTask')), JSON.stringify(slices));
    assert.deepStrictEqual(callbacksOf('tick').filter((text) => /tick|withArgument/.test(text)),
      [placed('tick'), placed('withArgument')]);
    assert.ok(callbacksOf('microtask').includes(placed('micro')));
    assert.ok(callbacksOf('request').includes(placed('stated')));
    assert.ok(callbacksOf('handle').includes(placed('met')), JSON.stringify(slices));
    // The first 'end' listener of a socket is not the program's.
    assert.ok(callbacksOf('handle').includes(placed('ended')), JSON.stringify(slices));
    assert.deepStrictEqual(callbacksOf('main'), [undefined]);
  });
}

test('a function of its own for each callback is found by its place', () => {
  const slices = trace('for (let i = 0; i < 1000; i++) setImmediate(() => i);');
  const callbacks = slices.filter(({ cat }) => cat === 'immediate').map(({ callback }) => callback);
  assert.deepStrictEqual(callbacks, Array(1000).fill('./program.js:1:45'));
});

test('more functions than there is time for: those that are named are right', () => {
  const slices = trace(`let left = 60000;
    function go() { if (left-- > 0) setImmediate(() => go()); }
    go();`);
  const callbacks = slices.filter(({ cat }) => cat === 'immediate').map(({ callback }) => callback);
  assert.strictEqual(callbacks.length, 60000);
  assert.deepStrictEqual(new Set(callbacks.slice(0, 4000)), new Set(['./program.js:2:50']));
  assert.ok(callbacks.every((callback) => callback === undefined || callback === './program.js:2:50'));
});
