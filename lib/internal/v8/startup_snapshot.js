'use strict';
// What Node's own files ask of v8.startupSnapshot: a program cannot make snapshots here.

module.exports = {
  namespace: {
    isBuildingSnapshot: () => false,
    addSerializeCallback() {},
    addDeserializeCallback() {},
  },
};
