'use strict';
// Moving the cursor of a terminal and clearing parts of its screen.

const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const kCsi = '\x1b[';
const kClearToLineBegin = `${kCsi}1K`;
const kClearToLineEnd = `${kCsi}0K`;
const kClearLine = `${kCsi}2K`;
const kClearScreenDown = `${kCsi}0J`;

// Each function below writes one sequence; without a stream, or with nothing to do, the callback
// still comes, and never before the call returns.
function send(stream, sequence, callback) {
  if (sequence !== '' && stream !== null && stream !== undefined) {
    return stream.write(sequence, callback);
  }
  if (typeof callback === 'function') process.nextTick(callback, null);
  return true;
}

// To an absolute position, the first column and the first row are 0.
function toSequence(x, y) {
  if (typeof y !== 'number') return `${kCsi}${x + 1}G`;
  return `${kCsi}${y + 1};${x + 1}H`;
}

function bySequence(dx, dy) {
  let sequence = '';
  if (dx < 0) sequence += `${kCsi}${-dx}D`;
  else if (dx > 0) sequence += `${kCsi}${dx}C`;
  if (dy < 0) sequence += `${kCsi}${-dy}A`;
  else if (dy > 0) sequence += `${kCsi}${dy}B`;
  return sequence;
}

function lineSequence(direction) {
  if (direction < 0) return kClearToLineBegin;
  return direction > 0 ? kClearToLineEnd : kClearLine;
}

function cursorTo(stream, x, y, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  if (Number.isNaN(x)) throw new codes.ERR_INVALID_ARG_VALUE('x', x);
  if (Number.isNaN(y)) throw new codes.ERR_INVALID_ARG_VALUE('y', y);
  if (stream === null || stream === undefined ||
      (typeof x !== 'number' && typeof y !== 'number')) {
    return send(stream, '', callback);
  }
  if (typeof x !== 'number') throw new codes.ERR_INVALID_CURSOR_POS();
  return send(stream, toSequence(x, y), callback);
}

function moveCursor(stream, dx, dy, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  return send(stream, bySequence(dx, dy), callback);
}

function clearLine(stream, dir, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  return send(stream, lineSequence(dir), callback);
}

function clearScreenDown(stream, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  return send(stream, kClearScreenDown, callback);
}

module.exports = {
  clearLine,
  clearScreenDown,
  cursorTo,
  kClearScreenDown,
  moveCursor,
  sequences: { bySequence, lineSequence, toSequence },
};
