// Without apply or bind. Without call() Node's own streams cannot be made.
const { spawnSync } = require('child_process');
if (process.argv[2] === undefined) {
  for (const name of ['apply', 'bind']) {
    const { stdout, stderr } = spawnSync(process.execPath, [__filename, name], { encoding: 'utf8' });
    console.log(name, stdout, stderr);
  }
} else {
  delete Function.prototype[process.argv[2]];
  const fs = require('fs');
  // The order depends on the machine's mood.
  const lines = [];
  const say = (...words) => {
    lines[lines.length] = `${words[0]} ${words[1] ?? ''}`;
    if (lines.length === 6) process.exit(3);
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
  process.once('uncaughtException', (error) => say('uncaught', error.message));
  setTimeout(() => { throw new Error('thrown'); }, 1);
}
