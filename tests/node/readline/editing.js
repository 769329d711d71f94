// Keys that edit a line: what is sent to the terminal, and what the line is then.
const EventEmitter = require('events');
const readline = require('readline');

class Input extends EventEmitter {
  resume() {}
  pause() {}
}

function session(title, options, keys) {
  console.log(`==== ${title}`);
  const output = new EventEmitter();
  let sent = [];
  output.columns = options.columns;
  output.write = (text) => { sent.push(text); return true; };
  const rl = readline.createInterface({ input: new Input(), output, terminal: true, ...options });
  rl.on('line', (line) => console.log('line', JSON.stringify(line)));
  rl.on('close', () => console.log('close'));
  rl.on('SIGTSTP', () => console.log('SIGTSTP'));
  for (const key of keys) {
    rl.input.emit('data', key);
    const { rows, cols } = rl.getCursorPos();
    console.log(JSON.stringify(key), JSON.stringify(sent), JSON.stringify(rl.line), rl.cursor, rows,
                cols, rl.historyIndex);
    sent = [];
  }
  rl.close();
}

const left = '\x1b[D', right = '\x1b[C', home = '\x1b[H', end = '\x1b[F', up = '\x1b[A', down = '\x1b[B';
session('moving and deleting', {}, ['the', ' ', 'quick', ' ', 'fox', left, 'x', '\x7f', home, right, '\x1b[3~', '\x05',
  '\x01', '\x06', '\x02', '\x04', end, '\x08', '\r']);
session('words', {}, ['one', ' two-three  ', 'four', '\x1bb', '\x1bb', '\x1b[1;5D', '\x1bf', '\x1b[1;5C', '\x17',
  '\x1b\x7f', '\x1bd', '\x05', '\x17', '\x17', '\x17']);
session('cutting, pasting, undoing', {}, ['alpha', ' beta', '\x15', '\x19', '\x19', '\x01', '\x1bf', '\x0b', '\x05',
  '\x19', '\x1by', '\x1by', '\x1f', '\x1f', '\x1e', '\x1f', '\r', '\x1f', '\x19']);
session('history', { history: ['abc', 'xyz', 'abd', ''], historySize: 3 },
  [up, up, up, up, up, down, down, down, down, 'ab', up, up, up, '\x10', '\x0e', '\r', 'q', '\r', '\r', up]);
session('no duplicates', { removeHistoryDuplicates: true }, ['a', '\r', 'b', '\r', 'a', '\r', up, up, up]);
session('narrow', { columns: 10, prompt: '>> ' }, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', left, left, left,
  'x', home, end, '\x7f', '\x15']);
session('wide', { columns: 10, prompt: '' }, ['\u4e2d', 'a', '\u6587', '\u{1f600}', 'e\u0301', '\u4e2d', left, left, left, left,
  '\x7f', '\x05', '\t', '\x0c']);
session('end', {}, ['a', '\x04', '\x1a', '\x7f', '\x04', 'b']);
session('interrupt', {}, ['a', '\x03']);
