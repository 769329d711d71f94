// The functions of Object, Reflect and others, and the methods of collections and strings, which a program takes away.
const without = {
  Object: [Object, ['keys', 'assign', 'hasOwn', 'is', 'entries', 'create', 'defineProperty', 'freeze', 'getPrototypeOf',
    'setPrototypeOf', 'getOwnPropertyDescriptor', 'values', 'fromEntries']],
  Reflect: [Reflect, ['apply', 'construct', 'ownKeys', 'set', 'get', 'has']],
  Array: [Array, ['isArray', 'of']],
  Number: [Number, ['isInteger', 'isFinite', 'isNaN', 'isSafeInteger']],
  JSON: [JSON, ['parse']],
  Error: [Error, ['captureStackTrace']],
  String: [String.prototype, ['startsWith', 'endsWith', 'trim', 'toLowerCase', 'repeat', 'charCodeAt']],
  Map: [Map.prototype, ['get', 'set', 'has', 'delete']],
  Set: [Set.prototype, ['add', 'has', 'delete']],
  WeakMap: [WeakMap.prototype, ['get', 'set', 'has']],
};
const { spawnSync } = require('child_process');
if (process.argv[2] === undefined) {
  for (const name of Object.keys(without)) {
    const { stdout, stderr } = spawnSync(process.execPath, [__filename, name], { encoding: 'utf8' });
    console.log(name, stdout, stderr);
  }
} else {
  const [object, names] = without[process.argv[2]];
  for (const name of names) delete object[name];
  const fs = require('fs');
  // The order depends on the machine's mood.
  const lines = [];
  const say = (...words) => {
    lines[lines.length] = `${words[0]} ${words[1] ?? ''}`;
    if (lines.length === 8) process.exit(3);
  };
  process.on('exit', () => {
    lines.sort();
    for (let i = 0; i < lines.length; i++) fs.writeSync(1, `${lines[i]}\n`);
    console.log('%s', 'console');
  });
  process.nextTick(say, 'tick');
  setImmediate(say, 'immediate');
  setTimeout(say, 1, 'timer');
  fs.readFile(__filename, 'utf8', (error, text) => say('readFile', text.length > 0));
  fs.promises.stat(__filename).then((stats) => say('stat', stats.isFile()));
  const server = require('net').createServer((socket) => { socket.end('bytes'); server.close(); });
  server.listen(0, () => require('net').connect(server.address().port).on('data', (bytes) => say('socket', bytes)));
  process.once('uncaughtException', (error) => say('uncaught', error.message));
  setTimeout(() => { throw new Error('thrown'); }, 1);
  import('./fixtures/module.mjs').then(({ value }) => say('import', value));
}
