// The tab key.
const EventEmitter = require('events');
const readline = require('readline');
const promises = require('readline/promises');

class Input extends EventEmitter {
  resume() {}
  pause() {}
}

async function session(title, create, completer, keys, columns) {
  console.log(`==== ${title}`);
  const output = new EventEmitter();
  let sent = '';
  output.columns = columns;
  output.write = (text) => { sent += text; return true; };
  const rl = create({ input: new Input(), output, terminal: true, completer });
  for (const key of keys) {
    rl.input.emit('data', key);
    await new Promise(setImmediate);
    console.log(JSON.stringify(key), JSON.stringify(sent), JSON.stringify(rl.line), rl.cursor);
    sent = '';
  }
  rl.close();
}

const words = ['apple', 'apricot', 'banana', '\u4e2d\u6587', 'Avocado'];
const last = (line) => line.split(' ').pop();
const byPrefix = (line) => [words.filter((word) => word.startsWith(last(line))), last(line)];

(async () => {
  await session('returned', readline.createInterface, byPrefix, ['a', '\t', '\t', 'r', '\t', ' ', '\t', '\t', 'zz', '\t']);
  await session('called back', readline.createInterface, (line, done) => setImmediate(done, null, byPrefix(line)),
    ['b', '\t', ' ', 'a', '\t', '\t'], 20);
  await session('groups', readline.createInterface, () => [['one', 'two', '', 'three', ''], ''], ['\t', '\t'], 80);
  await session('replaced', readline.createInterface, (line) => [['APPLE'], line], ['app', '\t']);
  await session('error', readline.createInterface, (line, done) => done('no idea'), ['\t']);
  await session('promised', promises.createInterface, async (line) => byPrefix(line), ['a', '\t', '\t', 'p', '\t']);
  await session('rejected', promises.createInterface, async () => { throw 'no idea'; }, ['\t']);
  await session('none', readline.createInterface, undefined, ['a', '\t', 'b']);
  await session('pasted', readline.createInterface, byPrefix, ['a\tb']);
})();
