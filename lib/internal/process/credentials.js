'use strict';
// The user and the groups of the process, by number or by name.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_CREDENTIAL } } = require('internal/errors');
const { validateArray, validateUint32 } = require('internal/validators');
const native = binding('credentials');

function validateId(id, name) {
  if (typeof id === 'number') validateUint32(id, name);
  else if (typeof id !== 'string') throw new ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
}

// The binding returns 0, or which of the names it was given it does not know. Node's functions have no names.
const setterOf = (set, kind) => (0, function(id) {
  validateId(id, 'id');
  if (set(id) !== 0) throw new ERR_UNKNOWN_CREDENTIAL(kind, id);
});

function setgroups(groups) {
  validateArray(groups, 'groups');
  for (let i = 0; i < groups.length; i++) validateId(groups[i], `groups[${i}]`);
  const unknown = native.setgroups(groups);
  if (unknown > 0) throw new ERR_UNKNOWN_CREDENTIAL('Group', groups[unknown - 1]);
}

function initgroups(user, extraGroup) {
  validateId(user, 'user');
  validateId(extraGroup, 'extraGroup');
  const unknown = native.initgroups(user, extraGroup);
  if (unknown === 1) throw new ERR_UNKNOWN_CREDENTIAL('User', user);
  if (unknown === 2) throw new ERR_UNKNOWN_CREDENTIAL('Group', extraGroup);
}

module.exports = {
  getuid: native.getuid,
  geteuid: native.geteuid,
  getgid: native.getgid,
  getegid: native.getegid,
  getgroups: native.getgroups,
  initgroups,
  setgroups,
  setegid: setterOf(native.setegid, 'Group'),
  seteuid: setterOf(native.seteuid, 'User'),
  setgid: setterOf(native.setgid, 'Group'),
  setuid: setterOf(native.setuid, 'User'),
};
