'use strict';
// The properties of process that describe the runtime: version, versions, arch, platform, release, features, config.

const built = binding('versions');

const versions = {
  node: built.node,
  rondo: built.rondo,
  ares: built.ares,
  brotli: built.brotli,
  cldr: built.cldr,
  icu: built.icu,
  modules: '147',
  napi: '10',
  openssl: built.openssl,
  sqlite: built.sqlite,
  tz: built.tz,
  unicode: built.unicode,
  uv: built.uv,
  v8: built.v8,
  zlib: built.zlib,
  zstd: built.zstd,
};

const release = { name: 'node' };

// Those that are false are not here.
const features = {
  inspector: true,
  debug: false,
  uv: true,
  ipv6: true,
  tls_alpn: true,
  tls_sni: true,
  tls_ocsp: true,
  tls: true,
  openssl_is_boringssl: false,
  get cached_builtins() { return true; },
  get require_module() {
    return require('internal/options').getOptionValue('--require-module') !== false;
  },
  get dtls() { return false; },
  get quic() { return false; },
  get typescript() {
    return require('internal/options').getOptionValue('--strip-types') !== false ? 'strip' : false;
  },
};

// What programs and build tools ask of it.
const config = {
  target_defaults: {
    cflags: [],
    default_configuration: 'Release',
    defines: [],
    include_dirs: [],
    libraries: [],
  },
  variables: {
    asan: 0,
    coverage: false,
    debug_node: false,
    host_arch: built.arch,
    icu_small: false,
    is_debug: 0,
    napi_build_version: '10',
    node_builtin_shareable_builtins: [],
    node_byteorder: 'little',
    node_install_corepack: false,
    node_install_npm: false,
    node_module_version: 147,
    node_no_browser_globals: false,
    node_prefix: '/usr/local',
    node_shared: false,
    node_shared_openssl: false,
    node_use_amaro: true,
    node_use_node_snapshot: true,
    node_use_openssl: true,
    node_use_v8_platform: true,
    node_without_node_options: false,
    openssl_quic: false,
    shlib_suffix: 'so.147',
    single_executable_application: false,
    target_arch: built.arch,
    ubsan: 0,
    v8_enable_i18n_support: 1,
    v8_enable_inspector: 1,
    v8_enable_webassembly: 1,
  },
};

function deepFreeze(object) {
  for (const value of Object.values(object)) {
    if (typeof value === 'object' && value !== null) deepFreeze(value);
  }
  return Object.freeze(object);
}

function readOnly(object) {
  for (const key in object) {
    Object.defineProperty(object, key, { __proto__: null, writable: false });
  }
  return object;
}

module.exports = {
  arch: built.arch,
  platform: 'linux',
  version: `v${built.node}`,
  versions: readOnly(versions),
  release: readOnly(release),
  features,
  config: deepFreeze(config),
};
