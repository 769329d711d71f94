'use strict';
// From what a terminal sends to keys: emitKeypressEvents().

const { StringDecoder } = require('string_decoder');

const kEscape = '\x1b';
const kDefaultEscapeTimeout = 500;
const kDecoder = Symbol('keypress-decoder');
const kParser = Symbol('escape-decoder');
const kSawKeyPress = Symbol('_sawKeyPress');

// ---- What the sequences mean ----

// Terminals differ: each line names the keys of one dialect, with what follows the escape character.
const kKeys = new Map();
function dialect(modifier, list) {
  for (const entry of list.split(' ')) {
    const [code, name] = entry.split('=');
    kKeys.set(code, { name, modifier });
  }
}
// xterm and similar
dialect('', '[A=up [B=down [C=right [D=left [E=clear [F=end [H=home');
dialect('', 'OA=up OB=down OC=right OD=left OE=clear OF=end OH=home');
dialect('', '[P=f1 [Q=f2 [R=f3 [S=f4 OP=f1 OQ=f2 OR=f3 OS=f4');
dialect('', '[1~=home [2~=insert [3~=delete [4~=end [5~=pageup [6~=pagedown [7~=home [8~=end');
dialect('', '[11~=f1 [12~=f2 [13~=f3 [14~=f4 [15~=f5 [17~=f6 [18~=f7 [19~=f8 [20~=f9 [21~=f10');
dialect('', '[23~=f11 [24~=f12 [200~=paste-start [201~=paste-end');
// the console of Linux, putty
dialect('', '[[A=f1 [[B=f2 [[C=f3 [[D=f4 [[E=f5 [[5~=pageup [[6~=pagedown');
// rxvt, which has sequences of their own for modifiers
dialect('shift', '[a=up [b=down [c=right [d=left [e=clear [Z=tab');
dialect('shift', '[2$=insert [3$=delete [5$=pageup [6$=pagedown [7$=home [8$=end');
dialect('ctrl', 'Oa=up Ob=down Oc=right Od=left Oe=clear');
dialect('ctrl', '[2^=insert [3^=delete [5^=pageup [6^=pagedown [7^=home [8^=end');

const kSingleKeys = new Map([
  ['\r', 'return'], ['\n', 'enter'], ['\t', 'tab'], ['\b', 'backspace'], ['\x7f', 'backspace'],
  [kEscape, 'escape'], [' ', 'space'],
]);

// Bits of the modifier parameter of xterm, which counts from 1.
const kShiftBit = 1;
const kMetaBits = 2 | 8;
const kCtrlBit = 4;

/* eslint-disable no-control-regex */
// A sequence of which more must come: up to two escapes, then O or [ with parameters.
const kUnfinished = /^\x1b\x1b?(?:O\d?|\[\[?(?:\d{0,3}|\d{0,3};\d?))?$/;
const kFunctionKey = /^(\x1b\x1b?)([O[])(.*)$/s;
/* eslint-enable no-control-regex */
// After the [: number;modifier and one of ~ ^ $, or 1;modifier and a letter.
const kNumbered = /^(\[?)(?:(\d\d?)(?:;(\d))?([~^$])|(\d{3}~))$/;
const kLettered = /^(\[?)(?:(?:\d;)?(\d))?([A-Za-z])$/;

function parseFunctionKey(introducer, rest) {
  if (introducer === 'O') {
    const digit = rest.length > 1 ? Number(rest[0]) : 1;
    return { code: `O${rest.slice(rest.length > 1 ? 1 : 0)}`, modifiers: digit - 1 };
  }
  let match = kNumbered.exec(rest);
  if (match !== null) {
    const [, linux, number, modifiers = 1, end, paste] = match;
    return { code: `[${linux}${paste ?? number + end}`, modifiers: paste ? 0 : modifiers - 1 };
  }
  match = kLettered.exec(rest);
  if (match !== null) {
    const [, linux, modifiers = 1, letter] = match;
    return { code: `[${linux}${letter}`, modifiers: modifiers - 1 };
  }
  return { code: `[${rest}`, modifiers: 0 };
}

function keyOfSequence(sequence, introducer, rest) {
  const { code, modifiers } = parseFunctionKey(introducer, rest);
  const known = kKeys.get(code);
  return {
    sequence,
    name: known === undefined ? 'undefined' : known.name,
    ctrl: (modifiers & kCtrlBit) !== 0 || known?.modifier === 'ctrl',
    meta: (modifiers & kMetaBits) !== 0,
    shift: (modifiers & kShiftBit) !== 0 || known?.modifier === 'shift',
    code,
  };
}

function keyOfCharacter(sequence, char, escaped) {
  const key = { sequence, name: undefined, ctrl: false, meta: false, shift: false };
  if (kSingleKeys.has(char)) {
    key.name = kSingleKeys.get(char);
    key.meta = escaped;
  } else if (!escaped && char <= '\x1a') {
    key.name = String.fromCharCode(char.charCodeAt(0) + 0x60); // ctrl-a is 1
    key.ctrl = true;
  } else if (/^[0-9A-Za-z]$/.test(char)) {
    key.name = char.toLowerCase();
    key.shift = /^[A-Z]$/.test(char);
    key.meta = escaped;
  } else if (escaped) {
    // With nothing after it, it was the escape key itself.
    key.name = char === '' ? 'escape' : undefined;
    key.meta = true;
  }
  return key;
}

// How many code units the character that begins at an index has.
function charLengthAt(text, index) {
  if (text.length <= index) return 1;
  return text.codePointAt(index) > 0xffff ? 2 : 1;
}

class KeyParser {
  constructor(stream) {
    this.stream = stream;
    this.pending = '';
  }

  // Takes a character, or '' when nothing has followed an escape for a while.
  next(char) {
    const sequence = this.pending + char;
    if (sequence === '') return;
    if (char !== '' && kUnfinished.test(sequence)) {
      this.pending = sequence;
      return;
    }
    this.pending = '';
    const functionKey = kFunctionKey.exec(sequence);
    if (functionKey !== null) {
      const key = keyOfSequence(sequence, functionKey[2], functionKey[3]);
      this.stream.emit('keypress', undefined, key);
      return;
    }
    const escaped = sequence.length > char.length;
    const key = keyOfCharacter(sequence, char, escaped);
    if (escaped || key.name !== undefined) {
      this.stream.emit('keypress', escaped ? undefined : sequence, key);
    } else if (charLengthAt(sequence, 0) === sequence.length) {
      this.stream.emit('keypress', sequence, key);
    }
  }
}

// ---- The stream ----

// The stream emits 'keypress' from now on, for as long as it has listeners. `iface` learns whether the input was a
// single key: completion is off while text is pasted.
function emitKeypressEvents(stream, iface = {}) {
  if (stream[kDecoder]) return;
  stream[kDecoder] = new StringDecoder('utf8');
  stream[kParser] = new KeyParser(stream);
  const { escapeCodeTimeout = kDefaultEscapeTimeout } = iface;
  let timeout;

  function onTimeout() {
    stream[kParser].next('');
  }

  function onData(input) {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', onData);
      stream.on('newListener', onNewListener);
      return;
    }
    const text = stream[kDecoder].write(input);
    if (!text) return;
    clearTimeout(timeout);
    iface[kSawKeyPress] = charLengthAt(text, 0) === text.length;
    iface.isCompletionEnabled = false;
    let seen = 0;
    for (const char of text) {
      seen += char.length;
      const last = seen === text.length;
      if (last) iface.isCompletionEnabled = true;
      // A listener that throws leaves no state: the sequence is over before it is reported.
      stream[kParser].next(char);
      if (last && char === kEscape) timeout = setTimeout(onTimeout, escapeCodeTimeout);
    }
  }

  function onNewListener(event) {
    if (event !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', onNewListener);
  }

  if (stream.listenerCount('keypress') > 0) stream.on('data', onData);
  else stream.on('newListener', onNewListener);
}

module.exports = { charLengthAt, emitKeypressEvents, kSawKeyPress };
