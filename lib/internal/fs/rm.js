'use strict';
// fs.rm and fs.rmSync.

const { codes: { ERR_FS_EISDIR } } = require('internal/errors');
const { beginWhole, laterAsPart, now } = require('internal/fs/native');
const { isFolder } = require('internal/fs/stats');
const { lstatDenial } = require('internal/process/permission');

const kRetried = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function isFolderError(path) {
  return new ERR_FS_EISDIR({
    code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: 21,
  });
}

// callback(error, whether there is nothing to do)
function checkRm(whole, path, options, callback) {
  laterAsPart(whole, 'lstat', (error, numbers) => {
    if (error !== null) {
      if (options.force && error.code === 'ENOENT') callback(null, true);
      else callback(error);
    } else if (isFolder(numbers) && !options.recursive) {
      callback(isFolderError(path));
    } else {
      callback(null, false);
    }
  }, path, false);
}

function removeAll(whole, path, options, callback) {
  let tries = 0;
  const attempt = () => {
    laterAsPart(whole, 'removeAll', (error) => {
      if (error !== null && kRetried.has(error.code) && tries < options.maxRetries) {
        tries++;
        setTimeout(attempt, tries * options.retryDelay);
        return;
      }
      callback(error);
    }, path, true);
  };
  attempt();
}

function rm(path, options, callback) {
  const whole = beginWhole('rm', path, false, callback);
  checkRm(whole, path, options, (error, nothing) => {
    if (error || nothing) callback(error);
    else {
      removeAll(whole, path, options, (removeError) => {
        // A link to a folder, with a slash after its name: neither of the two is removed.
        callback(removeError?.code === 'ENOTDIR' ? null : removeError);
      });
    }
  });
}

// In the words of the C library, as Node has it here.
function errorOfSync(failure, path) {
  const { code, errno } = failure;
  if (errno === undefined) return failure; // of the permission model
  const text = code === 'EBUSY' ? 'Device or resource busy' : require('util').getSystemErrorMap().get(errno)[1];
  const error = new Error(`${code}, ${text[0].toUpperCase()}${text.slice(1)}: '${path}'`);
  error.errno = -errno;
  error.code = code;
  error.path = path;
  error.syscall = 'rm';
  return error;
}

function removeAllSync(path, options) {
  for (let tries = 0; ; tries++) {
    try {
      now('removeAll', path, true);
      return;
    } catch (error) {
      if (!kRetried.has(error.code) || tries >= options.maxRetries) throw errorOfSync(error, path);
      binding('util').sleep((tries + 1) * options.retryDelay);
    }
  }
}

function rmSync(path, options) {
  let numbers;
  try {
    const denied = lstatDenial(path);
    if (denied !== undefined) throw denied;
    numbers = now('lstat', path, false);
  } catch (error) {
    if (options.force && error.code === 'ENOENT') return;
    if (options.force && options.recursive && error.code === 'ENOTDIR') return;
    throw error;
  }
  if (isFolder(numbers) && !options.recursive) throw isFolderError(path);
  removeAllSync(path, options);
}

module.exports = { rm, rmSync };
