// From text to lines, without a terminal.
const EventEmitter = require('events');
const readline = require('readline');

class Input extends EventEmitter {
  resume() { console.log('  (resume)'); }
  pause() { console.log('  (pause)'); }
}

for (const pieces of [
  ['one\ntwo\nthree'], ['one\r\ntwo\r\n'], ['one\r', '\ntwo\r', 'three'], ['\n\n'], ['a\rb\r\rc\n'],
  ['no', ' ', 'end'], ['\u2028 is no end \u2029\n'], [Buffer.from('\u4e2d\u6587').subarray(0, 4), Buffer.from('\u4e2d\u6587\n').subarray(4)], [],
]) {
  console.log(JSON.stringify(pieces.map(String)));
  const input = new Input();
  const rl = readline.createInterface({ input, crlfDelay: Infinity });
  rl.on('line', (line) => console.log('  line', JSON.stringify(line)));
  rl.on('close', () => console.log('  close'));
  for (const piece of pieces) input.emit('data', piece);
  input.emit('end');
  console.log('  listeners', input.eventNames());
}

const rl = readline.createInterface({ input: new Input() });
console.log(rl.terminal, rl.getPrompt(), rl.crlfDelay, rl.historySize, rl.history, rl.closed, rl.line);
rl.on('pause', () => console.log('pause')).on('resume', () => console.log('resume'));
rl.on('line', (line) => { console.log(line); if (line === 'stop') rl.close(); });
console.log(rl.pause() === rl, rl.pause(), rl.paused, rl.resume() === rl, rl.resume(), rl.paused);
rl.pause();
rl.write('written\nstop\nstill told\n');
console.log(rl.closed, rl.close());
