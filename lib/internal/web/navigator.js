'use strict';
// navigator: what the program runs on.

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');

const kInitialize = Symbol('kInitialize');

// As browsers name it.
function getNavigatorPlatform(arch, platform) {
  const machines = { linux: { ia32: 'i686', x64: 'x86_64' }, freebsd: { ia32: 'i386', x64: 'amd64' } };
  machines.openbsd = machines.freebsd;
  switch (platform) {
    case 'darwin': return 'MacIntel';
    case 'win32': return 'Win32';
    case 'linux': return `Linux ${machines.linux[arch] ?? arch}`;
    case 'freebsd': return `FreeBSD ${machines.freebsd[arch] ?? arch}`;
    case 'openbsd': return `OpenBSD ${machines.openbsd[arch] ?? arch}`;
    case 'sunos': return `SunOS ${arch === 'ia32' ? 'i86pc' : arch}`;
    case 'aix': return 'AIX';
    default: return `${platform[0].toUpperCase()}${platform.slice(1)} ${arch}`;
  }
}

class Navigator {
  // Private, so that the accessors throw for what is not a Navigator.
  #hardwareConcurrency;
  #languages;
  #platform;
  #userAgent;

  constructor(secret) {
    if (secret !== kInitialize) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  get hardwareConcurrency() {
    return this.#hardwareConcurrency ??= require('os').availableParallelism();
  }

  get locks() {
    this.#languages; // eslint-disable-line no-unused-expressions -- only for the check
    return require('worker_threads').locks;
  }

  get language() {
    this.#languages; // eslint-disable-line no-unused-expressions -- only for the check
    return new Intl.DateTimeFormat().resolvedOptions().locale || 'en-US';
  }

  get languages() {
    return this.#languages ??= Object.freeze([this.language]);
  }

  get userAgent() {
    return this.#userAgent ??= `Node.js/${process.version.slice(1, process.version.indexOf('.'))}`;
  }

  get platform() {
    return this.#platform ??= getNavigatorPlatform(process.arch, process.platform);
  }
}

for (const name of ['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform', 'locks']) {
  Object.defineProperty(Navigator.prototype, name, { __proto__: null, enumerable: true });
}
// A class of Node's whose constructor declares no parameter.
Object.defineProperty(Navigator, 'length', { __proto__: null, value: 0 });

module.exports = { Navigator, getNavigatorPlatform, kInitialize, navigator: new Navigator(kInitialize) };
