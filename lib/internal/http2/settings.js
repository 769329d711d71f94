'use strict';
// Settings: as objects for programs, as pairs of numbers for C++ and for frames.

const {
  codes: {
    ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH, ERR_HTTP2_INVALID_SETTING_VALUE,
    ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS, ERR_INVALID_ARG_TYPE,
  },
} = require('internal/errors');
const { checkObject, checkSettings, kMaxCustomSettings } = require('internal/http2/checks');
const { Setting } = require('internal/native/enums');

// By name: the id in frames, and the default.
const kByName = {
  headerTableSize: [1, 4096],
  enablePush: [2, 1],
  initialWindowSize: [4, 65535],
  maxFrameSize: [5, 16384],
  maxConcurrentStreams: [3, 2 ** 32 - 1],
  maxHeaderListSize: [6, 65535],
  enableConnectProtocol: [8, 0],
};
// In the order of C++, which is that of the properties.
const kSettings = Object.keys(Setting).map((name) => [name, ...kByName[name]]);
// As a frame has them: by id.
const kPackOrder = [...kSettings.keys()].sort((a, b) => kSettings[a][1] - kSettings[b][1]);
const kOtherName = 'maxHeaderSize'; // of maxHeaderListSize
const kFlags = new Set(['enablePush', 'enableConnectProtocol']);
const kPackedSize = 6; // bytes: an id of two, a value of four
const kFirstCustom = 7;

function fromNumbers(numbers, holder) {
  kSettings.forEach(([name], i) => {
    holder[name] = kFlags.has(name) ? numbers[i] === 1 : numbers[i];
    if (name === 'maxHeaderListSize') holder[kOtherName] = numbers[i];
  });
  return holder;
}

function setNamed(settings, name, value) {
  if (name === 'maxHeaderListSize') settings[kOtherName] = value;
  settings[name] = kFlags.has(name) ? value !== 0 : value;
}

function getDefaultSettings() {
  const settings = { __proto__: null };
  for (const [name, , value] of kSettings) setNamed(settings, name, value);
  return settings;
}

// What is in force for one side of a session, as C++ knows it.
function numbersOf(handle, isRemote) {
  const numbers = new Uint32Array(kSettings.length);
  handle.settingsOf(isRemote, numbers);
  return numbers;
}

// The same as an object. `custom` are pairs.
function settingsOf(numbers, custom) {
  const settings = fromNumbers(numbers, {});
  if (custom.size > 0) settings.customSettings = Object.fromEntries(custom);
  return settings;
}

// ---- To be sent ----

function checkCustomId(id) {
  if (!(id > 0 && id <= 0xffff)) {
    throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('Range Error', id, 0, 0xffff);
  }
}

// Pairs of id and value, as a Map: later values for the same id win.
function customPairs(customSettings) {
  const pairs = new Map();
  if (customSettings === null || typeof customSettings !== 'object') return pairs;
  for (const name in customSettings) {
    const value = customSettings[name];
    if (typeof value !== 'number') continue;
    const id = Number(name);
    checkCustomId(id);
    if (!(value > 0 && value <= 0xffffffff)) {
      throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('Range Error', value, 0, 0xffffffff);
    }
    pairs.set(id, value);
    if (pairs.size > kMaxCustomSettings) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
  }
  return pairs;
}

function headerListSize({ maxHeaderListSize, maxHeaderSize }) {
  if (maxHeaderSize === undefined || maxHeaderSize === maxHeaderListSize) return maxHeaderListSize;
  process.emitWarning('settings.maxHeaderSize overwrite settings.maxHeaderListSize');
  return maxHeaderSize;
}

// [id, value, ...] of those that are there.
function toPairs(settings) {
  const pairs = new Map();
  const custom = customPairs(settings.customSettings);
  for (const i of kPackOrder) {
    const [name, id] = kSettings[i];
    const value = name === 'maxHeaderListSize' ? headerListSize(settings) : settings[name];
    if (typeof value === (kFlags.has(name) ? 'boolean' : 'number')) pairs.set(id, Number(value));
  }
  const isKnown = (id) => kSettings.some(([, known]) => known === id);
  for (const [id, value] of custom) {
    if (!isKnown(id) || !pairs.has(id)) pairs.set(id, value);
  }
  return [...pairs].flat();
}

// Those of toPairs() that HTTP/2 does not define.
function customOf(pairs) {
  const custom = new Map();
  for (let i = 0; i < pairs.length; i += 2) {
    if (pairs[i] >= kFirstCustom && pairs[i] !== 8) custom.set(pairs[i], pairs[i + 1]);
  }
  return custom;
}

// The ids of a peer's custom settings that are worth keeping.
function checkCustomIds(ids) {
  for (const id of ids) {
    if (typeof id !== 'number' || !(id >= 0 && id <= 0xffff)) {
      throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('Range Error', id, 0, 0xffff);
    }
  }
  return new Set(ids);
}

// ---- The payload of a frame ----

function getPackedSettings(settings) {
  checkObject(settings, 'settings');
  checkSettings(settings);
  const pairs = toPairs({ ...settings });
  const packed = Buffer.allocUnsafe(pairs.length / 2 * kPackedSize);
  for (let i = 0, at = 0; i < pairs.length; i += 2, at += kPackedSize) {
    packed.writeUInt16BE(pairs[i], at);
    packed.writeUInt32BE(pairs[i + 1], at + 2);
  }
  return packed;
}

function setUnpacked(settings, id, value) {
  const known = kSettings.find(([, number]) => number === id);
  if (known === undefined) {
    settings.customSettings ||= {};
    settings.customSettings[id] = value;
    return;
  }
  setNamed(settings, known[0], value);
}

function getUnpackedSettings(buf, options = {}) {
  if (!ArrayBuffer.isView(buf) || buf.length === undefined) {
    throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray'], buf);
  }
  if (buf.length % kPackedSize !== 0) throw new ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH();
  const settings = {};
  // The elements of any typed array are taken as bytes.
  const bytes = Buffer.from(buf);
  for (let at = 0; at < bytes.length; at += kPackedSize) {
    setUnpacked(settings, bytes.readUInt16BE(at), bytes.readUInt32BE(at + 2));
  }
  if (options?.validate) checkSettings(settings);
  return settings;
}

module.exports = {
  checkCustomIds,
  customOf,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  kSettingCount: kSettings.length,
  numbersOf,
  settingsOf,
  toPairs,
};
