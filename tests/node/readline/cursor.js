// Sequences for the cursor and the screen, at once and gathered.
const { Writable } = require('stream');
const readline = require('readline');
const { Readline } = require('readline/promises');

function sink() {
  const stream = new Writable({ write(chunk, encoding, done) { stream.sent += chunk; done(); } });
  stream.sent = '';
  return stream;
}
const attempt = (f) => { try { console.log(f()); } catch (e) { console.log(e.name, e.code, e.message); } };

const stream = sink();
for (const args of [[1], [1, 2], [0, 0]]) attempt(() => readline.cursorTo(stream, ...args));
for (const args of [[1, 1], [-2, 3], [0, -4], [0, 0]]) attempt(() => readline.moveCursor(stream, ...args));
for (const dir of [-1, 0, 1, undefined]) attempt(() => readline.clearLine(stream, dir));
attempt(() => readline.clearScreenDown(stream));
console.log(JSON.stringify(stream.sent));

attempt(() => readline.cursorTo(stream, NaN));
attempt(() => readline.cursorTo(stream, 1, NaN));
attempt(() => readline.cursorTo(stream, 'a', 1));
attempt(() => readline.cursorTo(stream, 'a', 'b'));
attempt(() => readline.cursorTo(stream, 1, 2, 'x'));
attempt(() => readline.moveCursor(null, 1, 1));
attempt(() => readline.clearLine(undefined, 0, {}));
readline.cursorTo(null, 1, 2, (e) => console.log('called back', e));
readline.moveCursor(stream, 0, 0, (e) => console.log('nothing to do', e));

const gathered = sink();
const rl = new Readline(gathered);
console.log(rl.cursorTo(1, 2).moveCursor(1, -1).clearLine(0).clearScreenDown() === rl, gathered.sent);
attempt(() => rl.cursorTo('1'));
attempt(() => rl.cursorTo(1, 1.5));
attempt(() => rl.moveCursor(1, 'x'));
attempt(() => rl.clearLine(2));
attempt(() => new Readline({}));
attempt(() => new Readline(gathered, { autoCommit: 'x' }));
(async () => {
  await rl.commit();
  console.log(JSON.stringify(gathered.sent));
  rl.cursorTo(9).rollback();
  await rl.commit();
  console.log(JSON.stringify(gathered.sent));
  const hasty = sink();
  new Readline(hasty, { autoCommit: true }).cursorTo(3).clearScreenDown();
  console.log(JSON.stringify(hasty.sent));
  await new Promise(setImmediate);
  console.log(JSON.stringify(hasty.sent));
})();
