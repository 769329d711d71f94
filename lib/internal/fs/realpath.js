'use strict';
// fs.realpath: the path without symbolic links, found part by part.

const { state: permissions } = require('internal/process/permission');
const { beginWhole, laterAsPart, now } = require('internal/fs/native');
const {
  constants: { S_IFIFO, S_IFLNK, S_IFMT, S_IFSOCK }, getOptions, getValidatedPath, validateCallback,
} = require('internal/fs/utils');
const { toPathIfFileURL } = require('internal/url');
const pathModule = require('path');
const { Buffer } = require('buffer');

function isLink(numbers) {
  return (Number(numbers[1]) & S_IFMT) === S_IFLNK;
}

// Pipes and sockets among the descriptors in /proc: what the link says is all there is to know.
function hasNoName(numbers) {
  const type = Number(numbers[1]) & S_IFMT;
  return type === S_IFIFO || type === S_IFSOCK;
}

// The walk along a path. Each step is a question, which the caller answers: 'lstat' of a part, then,
// for a link, 'stat' (whether it leads anywhere) and 'readlink'.
class Walk {
  constructor(path) {
    this.rest = pathModule.resolve(path);
    this.base = '/';
    this.known = new Set();
    this.begin();
  }

  begin() {
    this.parts = this.rest.split('/').filter((part) => part !== '');
    this.base = '/';
    this.done = false;
    this.advance();
  }

  advance() {
    for (;;) {
      if (this.parts.length === 0) {
        this.done = true;
        return;
      }
      this.current = pathModule.join(this.base, this.parts.shift());
      if (!this.known.has(this.current)) {
        this.question = 'lstat';
        return;
      }
      this.base = this.current;
    }
  }

  answer(value) {
    switch (this.question) {
      case 'lstat':
        if (isLink(value)) {
          this.question = 'stat';
        } else {
          this.known.add(this.current);
          this.base = this.current;
          this.advance();
        }
        return;
      case 'stat':
        this.isNameless = hasNoName(value);
        this.question = 'readlink';
        return;
      default:
        this.rest = pathModule.resolve(this.base, value, ...this.parts);
        if (this.isNameless) {
          this.base = this.rest;
          this.done = true;
        } else {
          this.begin();
        }
    }
  }
}

function encode(path, { encoding }) {
  if (!encoding || encoding === 'utf8' || encoding === 'utf-8') return path;
  const bytes = Buffer.from(path);
  return encoding === 'buffer' ? bytes : bytes.toString(encoding);
}

// Anything can be a path here, as text.
function toText(path) {
  path = toPathIfFileURL(path);
  return getValidatedPath(typeof path === 'string' ? path : `${path}`);
}

function realpathSync(path, options) {
  options = getOptions(options);
  const walk = new Walk(toText(path));
  while (!walk.done) walk.answer(now(walk.question, walk.current, false));
  return encode(walk.base, options);
}

function realpath(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateCallback(callback);
  options = getOptions(options);
  const target = toText(path);
  const walk = new Walk(target);
  const whole = beginWhole('realpath', target, false, callback);
  const next = () => {
    if (walk.done) {
      callback(null, encode(walk.base, options));
      return;
    }
    laterAsPart(whole, walk.question, (error, value) => {
      if (error !== null) {
        callback(error);
        return;
      }
      walk.answer(value);
      next();
    }, walk.current, false);
  };
  if (walk.done || permissions.isEnabled) process.nextTick(next);
  else next();
}

module.exports = { realpath, realpathSync };
