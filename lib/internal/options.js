'use strict';
// The options of the command line, as src/cli parsed them: name -> value.

let options = Object.create(null);
let main;

const kDefaults = {
  '__proto__': null,
  '--enable-fips': false,
  '--force-fips': false,
  '--openssl-config': '',
  '--openssl-legacy-provider': false,
  '--openssl-shared-config': false,
  '--secure-heap': 0,
  '--secure-heap-min': 2,
  '--tls-cipher-list': 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:' +
    'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:' +
    'ECDHE-ECDSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:' +
    'ECDHE-RSA-AES256-SHA384:DHE-RSA-AES256-SHA384:ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:' +
    'HIGH:!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!PSK:!SRP:!CAMELLIA',
};

module.exports = {
  getOptions() {
    return options;
  },
  setOptions(values, program) {
    options = values;
    main = program;
  },
  // What is run, as the command line names it: see internal/startup/main.
  getMain() {
    return main;
  },
  // undefined for an option that was not given and has no default.
  getOptionValue(name) {
    return options[name] ?? kDefaults[name];
  },
};
