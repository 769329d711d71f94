// An ES module: top-level await, import.meta, import().
import { once, EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

console.log(`this is ${basename(import.meta.filename)}`);

const text = await readFile(new URL(import.meta.url), 'utf8');
console.log(`its first line: ${text.slice(0, text.indexOf('\n'))}`);

const emitter = new EventEmitter();
setTimeout(() => emitter.emit('theme', 'again'), 5);
const [value] = await once(emitter, 'theme');
console.log(`the theme came round: ${value}`);

const { EOL } = await import('node:os');
console.log(`a module imported when it is needed: EOL is ${JSON.stringify(EOL)}`);
