// What C++ and lib/ have to agree on, and each writes down for itself: the order of functions, of shared numbers, of events and of
// limits. The C++ enumeration is the table; lib/ is held against it.
'use strict';
const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const read = (path) => readFileSync(join(__dirname, '../..', path), 'utf8');
const toCamel = (name) => name.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());
const toPascal = (name) => toCamel(`_${name}`);

// The names of an enumeration, in order and without kCount.
function enumeration(path, declaration) {
  const text = read(path);
  const begin = text.indexOf(declaration);
  assert(begin >= 0, `${path} has ${declaration}`);
  const body = text.slice(text.indexOf('{', begin) + 1, text.indexOf('}', begin)).replace(/\/\/.*$/gm, '');
  return body.split(',').map((name) => name.trim()).filter((name) => name !== '' && !/^k\w*Count$/.test(name));
}

// The elements of an array literal: what is between the brackets, split at commas outside of parentheses.
function elements(path, opening) {
  const text = read(path);
  const begin = text.indexOf(opening);
  assert(begin >= 0, `${path} has ${opening}`);
  const found = [''];
  let depth = 0;
  for (const letter of text.slice(begin + opening.length)) {
    if (letter === ']' && depth === 0) break;
    if (letter === '(' || letter === '{') ++depth;
    if (letter === ')' || letter === '}') --depth;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((element) => element.trim()).filter((element) => element !== '');
}

// The functions that C++ calls.
const functions = enumeration('src/runtime/engine/environment.h', 'enum class LibFunction');
const passed = elements('lib/internal/startup/start.js', 'const functions = [');
assert.strictEqual(passed.length, functions.length);
functions.forEach((name, i) => {
  assert(passed[i].toLowerCase().includes(toCamel(name).toLowerCase()), `LibFunction ${i} is ${name}, lib/ passes ${passed[i]}`);
});

// The numbers that both read and write, and after them the bytes of a small read.
const shared = enumeration('src/runtime/engine/environment.h', 'enum class Shared');
assert.strictEqual(shared.at(-1), 'small_read');
const keys = [...read('lib/internal/native/shared_state.js').matchAll(/^ {2}(k\w+): (\d+),$/gm)].filter(([, key]) => !key.endsWith('Bytes'));
assert.deepStrictEqual(keys.map(([, key, index]) => [key, Number(index)]), shared.map((name, i) => [`k${toPascal(name)}`, i]));
assert(read('lib/internal/native/shared_state.js').includes(`new Int32Array(${shared.length - 1} + `));

// What happens to a session of HTTP/2.
const events = enumeration('src/http2/session.h', 'enum class EventKind');
const hooks = elements('lib/internal/http2/native_events.js', 'new SessionHooks([');
assert.strictEqual(hooks.length, events.length + 1); // and one for the end of all
events.forEach((name, i) => {
  const expected = `on${toPascal(name.replace(/_ack$/, '_acknowledged'))}`;
  assert(hooks[i].includes(`(${expected})`), `EventKind ${i} is ${name}, lib/ passes ${hooks[i]}`);
});

// The limits of a Worker.
const limits = enumeration('src/runtime/messaging/worker_thread.h', 'enum Limit');
const names = elements('lib/internal/worker/limits.js', 'const kNames = [');
assert.strictEqual(names.length, limits.length);
limits.forEach((name, i) => {
  assert(names[i].toLowerCase().includes(name.slice(1).replace(/Generation$/, '').toLowerCase()), `Limit ${i} is ${name}, lib/ has ${names[i]}`);
});

console.log(`${functions.length} functions, ${shared.length} shared numbers, ${events.length} events, ${limits.length} limits`);
