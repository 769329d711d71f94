'use strict';
// Arguments of the wrong kind, in the words of Node: what takes functions for objects and what does not, whose name is said.
const url = require('node:url');
const util = require('node:util');
const vm = require('node:vm');

function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
const odd = [undefined, null, 5, 'text', [], {}, function named() {}, Symbol('s')];
for (const value of odd) {
  const label = util.inspect(value);
  attempt(`createContext ${label}`, () => vm.isContext(vm.createContext(value)));
  attempt(`isContext ${label}`, () => vm.isContext(value));
  attempt(`runInNewContext ${label}`, () => vm.runInNewContext('1', value));
  attempt(`runInContext ${label}`, () => vm.runInContext('1', value));
  attempt(`Script ${label}`, () => new vm.Script('1').runInContext(value));
  attempt(`pathToFileURL ${label}`, () => typeof url.pathToFileURL(value));
  attempt(`pathToFileURL, Windows ${label}`, () => typeof url.pathToFileURL(value, { windows: true }));
  attempt(`urlToHttpOptions ${label}`, () => url.urlToHttpOptions(value).path);
  for (const encoding of ['utf-8', 'utf-16le', 'latin1']) {
    if (value === undefined) continue;
    attempt(`decode ${encoding} ${label}`, () => new TextDecoder(encoding).decode(value));
    attempt(`decode a stream ${encoding} ${label}`, () => new TextDecoder(encoding).decode(value, { stream: true }));
  }
}
console.log([...util.getSystemErrorMap().values()].map(([name]) => name).join());
console.log(new vm.Script('1\n//# sourceURL=named.js\n').sourceURL, new vm.Script('1').sourceURL);
