// What createInterface() accepts, and what an Interface looks like.
const EventEmitter = require('events');
const readline = require('readline');
const promises = require('readline/promises');

class Input extends EventEmitter {
  resume() {}
  pause() {}
  setRawMode(mode) { console.log('raw', mode); this.isRaw = mode; }
}
const attempt = (title, f) => {
  try { console.log(title, f()); } catch (e) { console.log(title, e.name, e.code, e.message); }
};
const open = (options) => readline.createInterface({ input: new Input(), ...options });

attempt('completer', () => open({ completer: 'x' }));
attempt('historySize', () => open({ historySize: 'x' }));
attempt('historySize', () => open({ historySize: -1 }));
attempt('historySize', () => open({ historySize: NaN }));
attempt('historySize', () => open({ historySize: Infinity }).historySize);
attempt('history', () => open({ history: 'x' }));
attempt('tabSize', () => open({ tabSize: 0 }));
attempt('tabSize', () => open({ tabSize: 4 }).tabSize);
attempt('escapeCodeTimeout', () => open({ escapeCodeTimeout: 'x' }));
attempt('signal', () => open({ signal: {} }));
attempt('crlfDelay', () => [open({ crlfDelay: 1 }).crlfDelay, open({ crlfDelay: 500 }).crlfDelay]);
attempt('prompt', () => open({ prompt: 'now> ' }).getPrompt());
attempt('terminal', () => open({ output: { isTTY: true, on() {}, write() {} } }).terminal);
attempt('no output', () => open({ output: null, terminal: true }).prompt());

attempt('without new', () => readline.Interface(new Input()) instanceof readline.Interface);
attempt('on an old object', () => {
  function Old() { Reflect.apply(readline.Interface, this, [new Input()]); }
  Object.setPrototypeOf(Old.prototype, readline.Interface.prototype);
  return new Old().terminal;
});
attempt('a password', () => {
  class Hidden extends readline.Interface {
    _writeToOutput(text) { (this.shown ??= []).push(text === '\r\n' ? text : text.replace(/[^: ]/g, '*')); }
  }
  const rl = new Hidden({ input: new Input(), output: { on() {}, removeListener() {}, write() {} }, terminal: true });
  rl.question('pw: ', (answer) => console.log('answer', answer));
  rl.input.emit('data', 'se');
  rl.input.emit('data', 'cret\r');
  rl.close();
  return JSON.stringify(rl.shown);
});
attempt('not a text', () => open()._writeToOutput(5));
console.log(Object.keys(readline), Object.keys(promises));
console.log(readline.promises === promises, promises.Interface.length, readline.createInterface.length);
