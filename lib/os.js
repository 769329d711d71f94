'use strict';
// What there is to know about the system. The binding asks it; where that can fail, the last argument of
// its function is an object that then has the error and the result is undefined.

const { ERR_SYSTEM_ERROR } = require('internal/errors').codes;
const { validateInt32 } = require('internal/validators');
const os = binding('os');
const constants = binding('constants').os;

Object.freeze(constants.signals);

const MIN_PRIORITY = -20;
const MAX_PRIORITY = 19;

function checked(call) {
  const failure = {};
  const value = call(failure);
  if (value === undefined) throw new ERR_SYSTEM_ERROR(failure);
  return value;
}

// Node's hostname, homedir and uptime are all called "wrappedFn".
function makeChecked(call) {
  function wrappedFn() {
    return checked(call);
  }
  wrappedFn.withoutStackTrace = function checkError() {
    return checked(call);
  };
  return wrappedFn;
}

const hostname = makeChecked((failure) => os.getHostname(failure));
const homedir = makeChecked((failure) => os.getHomeDirectory(failure));
const uptime = makeChecked((failure) => os.getUptime(failure));

let information; // [type, version, release, machine]: they do not change while we run

function systemInformation(index) {
  information ??= checked((failure) => os.getOSInformation(failure));
  return information[index];
}

const getOSType = () => systemInformation(0);
const getOSVersion = () => systemInformation(1);
const getOSRelease = () => systemInformation(2);
const getMachine = () => systemInformation(3);
const getAvailableParallelism = () => os.getAvailableParallelism();
const getFreeMem = () => os.getFreeMem();
const getTotalMem = () => os.getTotalMem();

function arch() {
  return process.arch;
}

function platform() {
  return process.platform;
}

function endianness() {
  return os.isBigEndian ? 'BE' : 'LE';
}

function loadavg() {
  const averages = new Float64Array(3);
  os.getLoadAvg(averages);
  return Array.from(averages);
}

function cpus() {
  // seven values in a row for each
  const data = os.getCPUs() || [];
  const out = [];
  for (let i = 0; i < data.length; i += 7) {
    const [model, speed, user, nice, sys, idle, irq] = data.slice(i, i + 7);
    out.push({ model, speed, times: { user, nice, sys, idle, irq } });
  }
  return out;
}

function tmpdir() {
  const path = process.env.TMPDIR || process.env.TMP || process.env.TEMP || '/tmp';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function countBits(number) {
  let bits = 0;
  for (; number > 0; number >>>= 1) bits += number & 1;
  return bits;
}

// The length of the network part; -1 if the ones of the mask are not all before its zeros.
function prefixLength(netmask, family) {
  const [separator, base, width] = family === 'IPv6' ? [':', 16, 16] : ['.', 10, 8];
  let length = 0;
  let ended = false;
  for (const group of netmask.split(separator)) {
    if (group === '') continue;
    const value = parseInt(group, base);
    const bits = countBits(value);
    if (value !== 0 && (ended || value !== (2 ** width - 1) - (2 ** (width - bits) - 1))) return -1;
    if (bits < width) ended = true;
    length += bits;
  }
  return length;
}

function networkInterfaces() {
  const data = checked((failure) => os.getInterfaceAddresses(failure));
  const out = {};
  for (let i = 0; i < data.length; i += 7) {
    const [name, address, netmask, family, mac, internal, scopeid] = data.slice(i, i + 7);
    const prefix = prefixLength(netmask, family);
    const entry = { address, netmask, family, mac, internal, cidr: prefix < 0 ? null : `${address}/${prefix}` };
    if (scopeid !== -1) entry.scopeid = scopeid;
    if (out[name] === undefined) out[name] = [entry];
    else out[name].push(entry);
  }
  return out;
}

function getPriority(pid) {
  if (pid === undefined) pid = 0;
  else validateInt32(pid, 'pid');
  return checked((failure) => os.getPriority(pid, failure));
}

function setPriority(pid, priority) {
  if (priority === undefined) {
    priority = pid;
    pid = 0;
  }
  validateInt32(pid, 'pid');
  validateInt32(priority, 'priority', MIN_PRIORITY, MAX_PRIORITY);
  const failure = {};
  if (os.setPriority(pid, priority, failure) !== 0) throw new ERR_SYSTEM_ERROR(failure);
}

// The names as text in an encoding, or as Buffers for 'buffer'. An unknown encoding is taken for UTF-8.
function userInfo(options) {
  const encoding = options !== null && typeof options === 'object' ? options.encoding : undefined;
  if (typeof encoding !== 'string' || (encoding !== 'buffer' && !Buffer.isEncoding(encoding))) {
    return checked((failure) => os.getUserInfo(null, failure));
  }
  const info = checked((failure) => os.getUserInfo({ encoding: 'buffer' }, failure));
  for (const name of ['username', 'homedir', 'shell']) {
    const bytes = Buffer.from(info[name].buffer, info[name].byteOffset, info[name].byteLength);
    info[name] = encoding === 'buffer' ? bytes : bytes.toString(encoding);
  }
  return info;
}

module.exports = {
  arch,
  availableParallelism: getAvailableParallelism,
  cpus,
  endianness,
  freemem: getFreeMem,
  getPriority,
  homedir,
  hostname,
  loadavg,
  networkInterfaces,
  platform,
  release: getOSRelease,
  setPriority,
  tmpdir,
  totalmem: getTotalMem,
  type: getOSType,
  userInfo,
  uptime,
  version: getOSVersion,
  machine: getMachine,
};

// In a template or a sum the function is converted to its result.
for (const name of [
  'availableParallelism', 'freemem', 'hostname', 'version', 'type', 'release', 'totalmem', 'machine', 'homedir',
  'uptime', 'arch', 'endianness', 'tmpdir', 'platform',
]) {
  const call = module.exports[name];
  call[Symbol.toPrimitive] = () => call();
}

Object.defineProperties(module.exports, {
  constants: { __proto__: null, enumerable: true, value: constants },
  EOL: { __proto__: null, configurable: true, enumerable: true, value: '\n' },
  devNull: { __proto__: null, configurable: true, enumerable: true, value: '/dev/null' },
});
