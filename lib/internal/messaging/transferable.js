'use strict';
// Objects of ours that structuredClone() and postMessage() can copy.
//
// Such an object is marked, or made by makeTransferable(). Its class has a method that returns what to write, and one that
// fills an empty object in with what was read:
//
//     class Blob {
//       constructor() { const self = makeTransferable(new.target); ... return self; }
//       [kClone]() { return { data, deserializeInfo: 'internal/blob:ClonedBlob' }; }
//       [kDeserialize](data) { ... }
//     }
//
// One that is transferred, and not copied, has [kTransfer] instead of [kClone], and [kTransferList], which returns
// what else has to be transferred for it. A `descriptor` beside `data` is closed if the message is never read; if it `isFile`, the
// end of the Worker that has it closes it too.
//
// `deserializeInfo` names a module and a class of it (none, if the module is the class), the instances of which are made
// without arguments and then filled in.

const { JSTransferable, kDescribed, kTransferred, kUncloneable, setClassKind, setHostKind } = binding('messaging');

const kClone = Symbol('messaging_clone_symbol');
const kDeserialize = Symbol('messaging_deserialize_symbol');
const kTransfer = Symbol('messaging_transfer_symbol');
const kTransferList = Symbol('messaging_transfer_list_symbol');

// An object of this class, to be returned by its constructor.
function makeTransferable(Class) {
  return Reflect.construct(JSTransferable, [], Class);
}

function markCloneable(object) {
  setHostKind(object, kDescribed);
}

function markTransferable(object) {
  setHostKind(object, kTransferred);
}

function markAsUncloneable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
  setHostKind(object, kUncloneable);
}

// None of its instances can be cloned.
function markClassAsUncloneable(Class) {
  setClassKind(Class.prototype, kUncloneable);
}

// All of its instances can be transferred.
function markClassAsTransferable(Class) {
  setClassKind(Class.prototype, kTransferred);
}

// ---- For C++ ----

function listTransfer(object) {
  return object[kTransferList]();
}

function describe(object) {
  const { data, deserializeInfo, descriptor = -1, isFile = false } =
    object[kClone] === undefined ? object[kTransfer]() : object[kClone]();
  return [deserializeInfo, data, descriptor, isFile];
}

let builtinIds;

// Only classes that are meant for it: a program can have any name written.
function instantiate(deserializeInfo) {
  const [id, name] = deserializeInfo.split(':');
  builtinIds ??= new Set(binding('builtins').ids());
  if (!builtinIds.has(id)) throw new TypeError(`Missing internal module '${id}'`);
  const Class = name === undefined ? require(id) : require(id)[name];
  if (typeof Class?.prototype?.[kDeserialize] !== 'function') throw new Error(`Unknown deserialize spec ${deserializeInfo}`);
  return new Class();
}

function fillIn(object, data) {
  object[kDeserialize](data);
}

function create(deserializeInfo, data) {
  const object = instantiate(deserializeInfo);
  fillIn(object, data);
  return object;
}

module.exports = {
  create,
  describe,
  fillIn,
  instantiate,
  kClone,
  kDeserialize,
  kTransfer,
  kTransferList,
  listTransfer,
  makeTransferable,
  markClassAsTransferable,
  markAsUncloneable,
  markClassAsUncloneable,
  markCloneable,
  markTransferable,
};
