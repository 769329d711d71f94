'use strict';
// Permissions, owners and times of files, with callbacks and at once.

const { laterVoid, now } = require('internal/fs/native');
const {
  getValidatedFd, getValidatedPath, toUnixTimestamp, validateCallback, validateOwner,
} = require('internal/fs/utils');
const { parseFileMode } = require('internal/validators');

function chmod(path, mode, callback) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  validateCallback(callback);
  laterVoid('chmod', callback, path, mode);
}

function chmodSync(path, mode) {
  now('chmod', getValidatedPath(path), parseFileMode(mode, 'mode'));
}

function fchmod(fd, mode, callback) {
  mode = parseFileMode(mode, 'mode');
  validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('fchmod', callback, fd, mode);
}

function fchmodSync(fd, mode) {
  mode = parseFileMode(mode, 'mode');
  now('fchmod', getValidatedFd(fd), mode);
}

function chown(path, uid, gid, callback) {
  validateCallback(callback);
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  laterVoid('chown', callback, path, uid, gid);
}

function chownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  now('chown', path, uid, gid);
}

function lchown(path, uid, gid, callback) {
  validateCallback(callback);
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  laterVoid('lchown', callback, path, uid, gid);
}

function lchownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  now('lchown', path, uid, gid);
}

function fchown(fd, uid, gid, callback) {
  validateOwner(uid, gid);
  validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('fchown', callback, fd, uid, gid);
}

function fchownSync(fd, uid, gid) {
  validateOwner(uid, gid);
  now('fchown', getValidatedFd(fd), uid, gid);
}

function utimes(path, atime, mtime, callback) {
  validateCallback(callback);
  path = getValidatedPath(path);
  laterVoid('utimes', callback, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function utimesSync(path, atime, mtime) {
  now('utimes', getValidatedPath(path), toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function lutimes(path, atime, mtime, callback) {
  validateCallback(callback);
  path = getValidatedPath(path);
  laterVoid('lutimes', callback, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function lutimesSync(path, atime, mtime) {
  now('lutimes', getValidatedPath(path), toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function futimes(fd, atime, mtime, callback) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('futimes', callback, fd, atime, mtime);
}

function futimesSync(fd, atime, mtime) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  now('futimes', getValidatedFd(fd), atime, mtime);
}

module.exports = {
  chmod, chmodSync, chown, chownSync, fchmod, fchmodSync, fchown, fchownSync, futimes,
  futimesSync, lchown, lchownSync, lutimes, lutimesSync, utimes, utimesSync,
};
