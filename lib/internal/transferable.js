'use strict';
// Objects of ours that structuredClone() and postMessage() can copy.
//
// Such an object is marked, or made by makeTransferable(). Its class has a method that tells what to write, and one that
// fills an empty object in with what was read:
//
//     class Blob {
//       constructor() { const self = makeTransferable(new.target); ... return self; }
//       [kClone]() { return { data, deserializeInfo: 'internal/blob:ClonedBlob' }; }
//       [kDeserialize](data) { ... }
//     }
//
// One that is handed over, and not copied, has [kTransfer] in the place of [kClone], and [kTransferList], which returns
// what else has to be handed over for it. A `descriptor` beside `data` is closed if nobody reads the message.
//
// `deserializeInfo` names a module and a class of it (none, if the module is the class), the instances of which are made
// without arguments and then filled in.

const { JSTransferable, kDescribed, kTransferred, kUncloneable, setHostKind } = binding('messaging');

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
  binding('messaging').markClassAsUncloneable(Class.prototype);
}

// ---- For C++ ----

function listTransfer(object) {
  return object[kTransferList]();
}

function describe(object) {
  const { data, deserializeInfo, descriptor = -1 } =
    object[kClone] === undefined ? object[kTransfer]() : object[kClone]();
  return [deserializeInfo, data, descriptor];
}

function instantiate(deserializeInfo) {
  const [id, name] = deserializeInfo.split(':');
  const Class = name === undefined ? require(id) : require(id)[name];
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
  markAsUncloneable,
  markClassAsUncloneable,
  markCloneable,
  markTransferable,
};
