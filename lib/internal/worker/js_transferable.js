'use strict';
// What can be cloned or transferred, under the names that Node's own files use.

const {
  kClone, kDeserialize, kTransfer, kTransferList, markAsUncloneable, markCloneable, markTransferable,
} = require('internal/messaging/transferable');
const { structuredClone } = require('internal/messaging/structured_clone');

function markTransferMode(object, cloneable = false, transferable = false) {
  if (transferable) markTransferable(object);
  else if (cloneable) markCloneable(object);
  else markAsUncloneable(object);
}

module.exports = { kClone, kDeserialize, kTransfer, kTransferList, markTransferMode, structuredClone };
