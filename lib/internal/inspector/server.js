'use strict';
// The server for debuggers of other processes (src/runtime/inspector): what node:inspector, the options and SIGUSR1
// ask of it.

const { ERR_INSPECTOR_ALREADY_ACTIVATED, ERR_INSPECTOR_NOT_ACTIVE } = require('internal/errors').codes;
const { getMain, getOptionValue } = require('internal/options');
const permission = require('internal/process/permission');
const { isUint32, validateInt32 } = require('internal/validators');
const native = binding('inspector');

const kDefaultHost = '127.0.0.1';

let host = kDefaultHost; // as it was last given

// ---- Listening ---------------------------------------------------------------------------------------------------

// How a list of targets shows this program.
function describe() {
  const { path: script } = getMain();
  if (script === undefined) return { title: `${process.title}[${process.pid}]`, url: 'file://' };
  let file = '';
  try {
    file = require('fs').realpathSync(script);
  } catch {
    // A name without its extension, for example.
  }
  return { title: script, url: `file://${file}` };
}

function listen() {
  const { title, url } = describe();
  const places = (getOptionValue('--inspect-publish-uid') ?? 'stderr,http').split(',');
  prepare();
  const isListening = native.open(host, process.debugPort, title, url, places.includes('stderr'), places.includes('http'));
  if (!isListening) return;
  process.debugPort = native.port();
  process.emit('internalMessage', { cmd: 'NODE_DEBUG_ENABLED' });
}

// What a session needs of lib/. Done when the first debugger may come: a program without one does not pay for it.
let isPrepared = false;

function prepare() {
  if (isPrepared) return;
  isPrepared = true;
  require('internal/inspector/console').reportConsole();
  const { extendConsole, setAsyncHook } = require('internal/inspector/session_support');
  native.setFunctions(extendConsole, setAsyncHook);
}

// Called by C++, perhaps in the middle of other JavaScript: SIGUSR1 asks to listen, or a session has begun.
function inspect(listens) {
  if (!listens) {
    prepare();
  } else if (native.url() === undefined && !isOfChild(getMain()) && permission.isGranted('inspector')) {
    listen();
  }
}

// ---- The command line --------------------------------------------------------------------------------------------

// Those that start the program again, in a process that listens itself.
function isOfChild({ kind }) {
  return kind === 'watch' || kind === 'run' || (kind === 'test' && getOptionValue('--test-isolation') !== 'none');
}

// Before the program: listens, and waits, if the options say so.
function start(options, main) {
  if (main.kind === 'worker') return;
  const address = options['--inspect-port'];
  if (address !== undefined) {
    const [name, port] = native.parseAddress(address);
    if (name !== undefined) host = name;
    if (port !== undefined) process.debugPort = port;
  }
  if (!options['--inspect'] || isOfChild(main)) return;
  permission.check('inspector', 'StartIoThread');
  listen();
  if (native.url() === undefined) return;
  if (options['--inspect-brk'] || options['--inspect-wait'] || options['--inspect-brk-node']) native.waitForDebugger();
  if (options['--inspect-brk']) breakAtStart();
}

// The program is paused in its first line.
function breakAtStart() {
  require('internal/inspector/first_line').firstLine.isWanted = true;
}

// ---- node:inspector ----------------------------------------------------------------------------------------------

function isLoopback(name) {
  return /^(localhost$|127\.|\[::1\]|\[0:0:0:0:0:0:0:1\])/i.test(name);
}

function open(port, name, wait) {
  if (native.url() !== undefined) throw new ERR_INSPECTOR_ALREADY_ACTIVATED();
  if (isUint32(port)) validateInt32(port, 'port', 0, 65535);
  if (name && !isLoopback(name)) {
    process.emitWarning(
      'Binding the inspector to a public IP with an open port is insecure, ' +
      'as it allows external hosts to connect to the inspector ' +
      'and perform a remote code execution attack. ' +
      'Documentation can be found at ' +
      'https://nodejs.org/api/cli.html#--inspecthostport', 'SecurityWarning');
  }
  permission.check('inspector', 'StartIoThread');
  if (isUint32(port)) process.debugPort = port;
  if (typeof name === 'string') host = name;
  listen();
  if (wait) waitForDebugger();
  return { __proto__: null, [Symbol.dispose]() { close(); } };
}

function close() {
  native.close();
}

function waitForDebugger() {
  if (!native.waitForDebugger()) throw new ERR_INSPECTOR_NOT_ACTIVE();
}

module.exports = { breakAtStart, close, inspect, open, prepare, start, url: native.url, waitForDebugger };
