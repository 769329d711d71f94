'use strict';
// Objects of ours that structuredClone() and postMessage() can copy.
//
// V8 asks us about objects that were made in C++, and about no others. So such an object is made
// there, with the prototype of its class; the class has a method that tells what to write, and one
// that fills an empty object in with what was read:
//
//     class Blob {
//       constructor() { const self = makeTransferable(new.target); ... return self; }
//       [kClone]() { return { data, deserializeInfo: 'internal/blob:ClonedBlob' }; }
//       [kDeserialize](data) { ... }
//     }
//
// `deserializeInfo` names a module and a class of it, the instances of which are made without
// arguments and then filled in.

const { JSTransferable } = binding('messaging');

const kClone = Symbol('messaging_clone_symbol');
const kDeserialize = Symbol('messaging_deserialize_symbol');

// An object of this class, to be returned by its constructor.
function makeTransferable(Class) {
  return Reflect.construct(JSTransferable, [], Class);
}

// ---- For C++ ----

function describe(object) {
  const { data, deserializeInfo } = object[kClone]();
  return [deserializeInfo, data];
}

function create(deserializeInfo, data) {
  const [id, name] = deserializeInfo.split(':');
  const object = new (require(id)[name])();
  object[kDeserialize](data);
  return object;
}

module.exports = { create, describe, kClone, kDeserialize, makeTransferable };
