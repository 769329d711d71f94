'use strict';
// process.allowedNodeEnvironmentFlags: the options that may stand in NODE_OPTIONS, as a Set that knows their other
// spellings and does not change.

// Options that can be switched off with --no- in front.
const switches = `
  addons allow-addons allow-child-process allow-wasi allow-worker debug-arraybuffer-allocations deprecation
  disable-wasm-trap-handler enable-fips enable-source-maps experimental-detect-module experimental-eventsource
  experimental-fetch experimental-global-customevent experimental-global-webcrypto experimental-import-meta-resolve
  experimental-network-imports experimental-permission experimental-print-required-tla experimental-repl-await
  experimental-require-module experimental-shadow-realm experimental-vm-modules experimental-wasm-modules
  experimental-websocket extra-info-on-fatal-exception force-async-hooks-checks force-context-aware force-fips
  force-node-api-uncaught-exceptions-policy frozen-intrinsics global-search-paths heap-prof insecure-http-parser
  inspect inspect-brk inspect-wait network-family-autoselection node-snapshot openssl-legacy-provider
  openssl-shared-config pending-deprecation preserve-symlinks preserve-symlinks-main report-compact
  report-exclude-network report-on-fatalerror report-on-signal report-uncaught-exception test-only
  throw-deprecation tls-max-v1.2 tls-max-v1.3 tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3
  trace-atomics-wait trace-deprecation trace-exit trace-promises trace-sigint trace-sync-io trace-tls
  trace-uncaught trace-warnings track-heap-objects use-bundled-ca use-openssl-ca verify-base-objects warnings
  watch watch-preserve-output zero-fill-buffers`;

const others = `
  abort-on-uncaught-exception allow-fs-read allow-fs-write conditions debug-port diagnostic-dir disable-proto
  disable-warning disallow-code-generation-from-strings dns-result-order enable-etw-stack-walking
  enable-network-family-autoselection es-module-specifier-resolution experimental-abortcontroller
  experimental-default-type experimental-json-modules experimental-loader experimental-modules experimental-policy
  experimental-report experimental-specifier-resolution experimental-top-level-await
  experimental-wasi-unstable-preview1 experimental-worker expose-gc heap-prof-dir heap-prof-interval heap-prof-name
  heapsnapshot-near-heap-limit heapsnapshot-signal http-parser huge-max-old-generation-size icu-data-dir import
  input-type inspect-port inspect-publish-uid interpreted-frames-native-stack jitless loader max-http-header-size
  max-old-space-size max-semi-space-size napi-modules network-family-autoselection-attempt-timeout
  node-memory-debug openssl-config perf-basic-prof perf-basic-prof-only-functions perf-prof
  perf-prof-unwinding-info policy-integrity prof-process redirect-warnings report-dir report-directory
  report-filename report-signal require secure-heap secure-heap-min snapshot-blob stack-trace-limit test-reporter
  test-reporter-destination test-shard title tls-cipher-list tls-keylog trace-event-categories
  trace-event-file-pattern trace-events-enabled trace-require-module unhandled-rejections use-largepages
  v8-pool-size watch-path`;

const wordsOf = (text) => text.trim().split(/\s+/);

class NodeEnvironmentFlagsSet extends Set {
  #flags;

  constructor(flags) {
    super();
    this.#flags = new Set(flags);
  }

  has(flag) {
    if (typeof flag !== 'string') return false;
    // --a_b=value is --a-b, and dashes at the beginning may be left out
    let name = flag.replaceAll('_', '-');
    if (this.#flags.has(name)) return true;
    if (/^--/.test(name)) name = name.replace(/=.*$/, '');
    if (/^-/.test(name)) return this.#flags.has(name);
    return this.#flags.has(`--${name}`) || this.#flags.has(`-${name}`);
  }

  // It is not for changing.
  add() { return this; }
  delete() { return false; }
  clear() {}

  forEach(callback, thisArg = undefined) {
    this.#flags.forEach((flag) => Reflect.apply(callback, thisArg, [flag, flag, this]));
  }

  get size() { return this.#flags.size; }
  entries() { return this.#flags.entries(); }
  values() { return this.#flags.values(); }
}

const { prototype } = NodeEnvironmentFlagsSet;
for (const key of ['keys', Symbol.iterator]) {
  Object.defineProperty(prototype, key,
    { __proto__: null, value: prototype.values, writable: true, enumerable: false, configurable: true });
}

function buildAllowedFlags() {
  const flags = wordsOf(switches).flatMap((name) => [`--${name}`, `--no-${name}`]);
  for (const name of wordsOf(others)) flags.push(`--${name}`);
  flags.push('-C', '-r');
  return Object.freeze(new NodeEnvironmentFlagsSet(flags));
}

module.exports = { buildAllowedFlags };
