'use strict';
// fs.rm, and what is left of fs.rmdir's option `recursive`.

const { codes: { ERR_FS_EISDIR } } = require('internal/errors');
const { beginWhole, laterAsPart, now } = require('internal/fs/native');
const { isFolder } = require('internal/fs/stats');

const kRetried = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function isFolderError(path) {
  return new ERR_FS_EISDIR({
    code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: 21,
  });
}

// callback(error, whether there is nothing to do)
function checkRm(whole, options, callback) {
  laterAsPart(whole, 'lstat', (error, numbers) => {
    if (error !== null) {
      if (options.force && error.code === 'ENOENT') callback(null, true);
      else callback(error);
    } else if (isFolder(numbers) && !options.recursive) {
      callback(isFolderError(whole.target));
    } else {
      callback(null, false);
    }
  }, whole.target, false);
}

// As a part of { method, target: path }.
function removeAll(whole, options, callback) {
  let tries = 0;
  const attempt = () => {
    laterAsPart(whole, 'removeAll', (error) => {
      if (error !== null && kRetried.has(error.code) && tries < options.maxRetries) {
        tries++;
        setTimeout(attempt, tries * options.retryDelay);
        return;
      }
      callback(error);
    }, whole.target, true);
  };
  attempt();
}

function rm(path, options, callback) {
  const whole = beginWhole('rm', path);
  checkRm(whole, options, (error, nothing) => {
    if (error || nothing) callback(error);
    else removeAll(whole, options, callback);
  });
}

function removeAllSync(path, options) {
  for (let tries = 0; ; tries++) {
    try {
      now('removeAll', path, true);
      return;
    } catch (error) {
      if (!kRetried.has(error.code) || tries >= options.maxRetries) throw error;
      binding('util').sleep((tries + 1) * options.retryDelay);
    }
  }
}

function rmSync(path, options) {
  let numbers;
  try {
    numbers = now('lstat', path, false);
  } catch (error) {
    if (options.force && error.code === 'ENOENT') return;
    throw error;
  }
  if (isFolder(numbers) && !options.recursive) throw isFolderError(path);
  removeAllSync(path, options);
}

module.exports = { removeAll, removeAllSync, rm, rmSync };
