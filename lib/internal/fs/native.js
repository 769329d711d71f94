'use strict';
// The two ways to C++: `now` returns or throws, `later` calls back. What is checked has been
// checked before.

const { begin, table } = require('internal/native/requests');
const { SafeMap } = require('internal/util/safe');

const native = binding('fs');
const { apply } = Reflect;

// Without the iterator of arrays, which a program may have taken away.
function callNative(method, requests, number, args) {
  const all = [requests, number];
  for (let i = 0; i < args.length; i++) all[i + 2] = args[i];
  return apply(native[method], native, all);
}

// ---- What a step is a part of, by the names of the call --------------------------------------

// Only the lens and --why-alive read it, so it is kept only for operations that begin after one of them is on.
let areWholesKept = false;
let keepPlace; // (whole): records the source location where it was begun

function keepWholes() {
  areWholesKept = true;
}

function setWholeKeeper(keeper) {
  keepWholes();
  keepPlace = keeper;
}

// Where the program is calling: { method: 'readFile', target: path }. Of a stream each step is one for itself.
// `callback` is the program's function that the last step calls. Returns undefined while nothing is kept.
function beginWhole(method, target, isStream = false, callback) {
  if (!areWholesKept) return undefined;
  const whole = { method, target, isStream, callback };
  if (keepPlace !== undefined) keepPlace(whole);
  return whole;
}

// Of descriptors that lib/ has opened.
const wholes = new SafeMap();

function setWhole(fd, whole) {
  if (areWholesKept) wholes.set(fd, whole);
}

// For the caller that closes it: afterwards the number may be that of another file.
function takeWhole(fd) {
  if (!areWholesKept) return undefined;
  const whole = wholes.get(fd);
  wholes.delete(fd);
  return whole;
}

// Of any resource: undefined unless it is a request on a file that is part of an operation.
function wholeOf(resource) {
  return resource instanceof FSReqCallback ? resource.whole ?? wholes.get(resource.target) : undefined;
}

// ---- Requests --------------------------------------------------------------------------------

// `method` and `target` describe it for the lens.
class FSReqCallback {
  constructor(oncomplete, method, target, whole) {
    this.oncomplete = oncomplete;
    this.method = method;
    this.target = target;
    this.whole = method === 'close' ? takeWhole(target) : whole;
    this.callback = undefined; // the program's function that oncomplete() calls, if it is known
  }
}

class FSReqPromise extends FSReqCallback {}

function now(method, ...args) {
  if (method === 'close') takeWhole(args[0]);
  return callNative(method, undefined, undefined, args);
}

// oncomplete(error, value)
function later(method, oncomplete, ...args) {
  const request = new FSReqCallback(oncomplete, method, args[0]);
  callNative(method, table(), begin(request, 'FSREQCALLBACK'), args);
}

// The same, of an operation with several steps. Those on a descriptor know it by setWhole().
function laterAsPart(whole, method, oncomplete, ...args) {
  const request = new FSReqCallback(oncomplete, method, args[0], whole);
  callNative(method, table(), begin(request, 'FSREQCALLBACK'), args);
}

function laterFor(callback, method, oncomplete, args) {
  const request = new FSReqCallback(oncomplete, method, args[0]);
  request.callback = callback;
  callNative(method, table(), begin(request, 'FSREQCALLBACK'), args);
}

// For operations without a value: callback(null) or callback(error).
function laterVoid(method, callback, ...args) {
  laterFor(callback, method, (error) => callback(error), args);
}

// callback(null, convert(value)) or callback(error).
function laterValue(method, callback, convert, ...args) {
  laterFor(callback, method, (error, value) => {
    if (error !== null) callback(error);
    else callback(null, convert === undefined ? value : convert(value));
  }, args);
}

function begun(whole, method, args) {
  return new Promise((resolve, reject) => {
    const request = new FSReqPromise((error, value) => {
      if (error === null) resolve(value);
      else reject(error);
    }, method, args[0], whole);
    callNative(method, table(), begin(request, 'FSREQPROMISE'), args);
  });
}

// A promise of the value.
async function promisedWith(whole, method, args) {
  try {
    return await begun(whole, method, args);
  } catch (error) {
    // It was made where no JavaScript ran. Its stack is that of the await.
    Error.captureStackTrace(error, promisedWith);
    throw error;
  }
}

function promisedAsPart(whole, method, ...args) {
  return promisedWith(whole, method, args);
}

function promised(method, ...args) {
  return promisedWith(undefined, method, args);
}

module.exports = {
  beginWhole, keepWholes, later, laterAsPart, laterValue, laterVoid, native, now, promised, promisedAsPart, setWhole,
  setWholeKeeper, wholeOf,
};
