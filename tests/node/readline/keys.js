// What a terminal sends becomes keys, also when a sequence comes in pieces.
const EventEmitter = require('events');
const readline = require('readline');

const stream = new EventEmitter();
stream.on('keypress', (s, key) => {
  const modifiers = ['ctrl', 'meta', 'shift'].filter((name) => key[name]).join('+');
  console.log(JSON.stringify(s), JSON.stringify(key.sequence), key.name, modifiers, key.code);
});
readline.emitKeypressEvents(stream, { escapeCodeTimeout: 1 });

for (const text of [
  'a', 'Z', '5', '.', ' ', '\r', '\n', '\t', '\b', '\x7f', '\x01', '\x03', '\x1a', '\x1f',
  '\u00e9', '\u4e2d', '\u{1f600}', 'two words',
  '\x1ba', '\x1bZ', '\x1b ', '\x1b\r', '\x1b.', '\x1b\x1b[A', '\x1b\x1b',
  '\x1b[A', '\x1bOB', '\x1b[C\x1b[D', '\x1b[H', '\x1b[1~', '\x1b[3~', '\x1b[5~', '\x1b[15~',
  '\x1b[1;2A', '\x1b[1;3A', '\x1b[1;5A', '\x1b[3;5~', '\x1b[5C', '\x1bO5C', '\x1b[[A', '\x1b[Z',
  '\x1b[a', '\x1bOa', '\x1b[2$', '\x1b[2^', '\x1b[200~', '\x1b[999~', '\x1b[1;9X', '\x1b[;X',
]) {
  console.log(`-- ${JSON.stringify(text)}`);
  stream.emit('data', Buffer.from(text));
}
console.log('-- in pieces');
for (const piece of ['\x1b', '[', '1;', '5', 'D']) stream.emit('data', piece);
for (const byte of Buffer.from('\u4e2d')) stream.emit('data', Buffer.from([byte]));
console.log('-- alone');
stream.emit('data', '\x1b');
