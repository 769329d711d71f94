'use strict';
// What is cloned in a way of its own, and what a program forbids to clone or to transfer.
const {
  isInternalThread, isMarkedAsUntransferable, markAsUncloneable, markAsUntransferable, postMessageToThread, threadName,
} = require('worker_threads');

function tell(what, run) {
  try {
    console.log(what, run());
  } catch (error) {
    console.log(what, error.name, error.code, error.message);
  }
}

const exception = new DOMException('text', { name: 'AbortError', cause: 1 });
exception.more = 2;
const copy = structuredClone({ exception }).exception;
console.log(copy instanceof DOMException, copy.name, copy.message, copy.code, copy.stack === exception.stack, Object.keys(copy));
tell('a copy of a copy', () => structuredClone(copy).name);
class Mine extends DOMException {}
tell('of a subclass', () => structuredClone(new Mine('text')).constructor === DOMException);
tell('as the cause', () => structuredClone(new Error('text', { cause: exception })).cause.name);

const object = { a: 1 };
console.log(markAsUncloneable(object), markAsUncloneable(3), markAsUncloneable(null), structuredClone(3));
tell('uncloneable', () => structuredClone([object]));
tell('inherited', () => structuredClone(Object.create(object)));
for (const Class of [Headers, Request, Response, FormData]) {
  tell(Class.name, () => structuredClone(Class === Request ? new Class('http://127.0.0.1/') : new Class()));
  tell('what inherits', () => Object.keys(structuredClone(Object.create(Class.prototype))));
}
const bytes = new ArrayBuffer(8);
markAsUncloneable(bytes);
tell('uncloneable bytes', () => structuredClone(bytes).byteLength);
tell('transferred', () => structuredClone(bytes, { transfer: [bytes] }).byteLength);

const kept = new ArrayBuffer(8);
console.log(isMarkedAsUntransferable(kept), markAsUntransferable(kept), isMarkedAsUntransferable(kept));
console.log(isMarkedAsUntransferable(1), isMarkedAsUntransferable(null), isMarkedAsUntransferable(() => {}));
tell('untransferable', () => structuredClone(kept, { transfer: [kept] }));
tell('cloned', () => structuredClone(kept).byteLength);

console.log(isInternalThread, JSON.stringify(threadName));
(async () => {
  for (const args of [[0, 'text'], [17, 'text'], [17, 'text', [], -1]]) {
    await postMessageToThread(...args).catch((error) => console.log(args, error.name, error.code, error.message));
  }
})();
