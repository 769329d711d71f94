// The runtime does not use the globals that a program replaces, as sinon's fake timers do.
const { setTimeout: own } = globalThis;
globalThis.queueMicrotask = globalThis.setTimeout = globalThis.setImmediate = () => { throw new Error('fake'); };
globalThis.Date = class { static now() { return 0; } };
const fs = require('fs');
const lines = [];
const say = (...words) => lines.push(words.join(' '));
process.on('exit', () => console.log(lines.sort().join('\n')));
process.nextTick(() => say('tick'));
own(() => say('timer'), 20);
fs.readFile(__filename, (error, bytes) => say('readFile', error, bytes.length > 0));
const { setTimeout: wait } = require('timers/promises');
wait(60, 'waited').then(say);
const { once, EventEmitter } = require('events');
const emitter = new EventEmitter();
once(emitter, 'x').then(() => say('once'));
emitter.emit('x');
AbortSignal.timeout(100).addEventListener('abort', () => say('aborted'));
own(() => say('done'), 140);
