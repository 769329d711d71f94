'use strict';
// The table of Node's error codes: code -> [class, message, further classes].
//
// A message is a text, in which %s is replaced by an argument, or a function of the arguments. Such a
// function is called with the error as `this`, so that it can hang further properties on it. The
// first class is the one of `codes.ERR_X`, a further class is `codes.ERR_X.RangeError` and so on.

const describe = require('internal/errors/descriptions');

const { formatList } = describe;

// Stands for the class SystemError, which internal/errors defines: its message is only the
// beginning, the rest comes from the context of the failed system call.
const kSystemError = Symbol('SystemError');

// Of what went wrong in a test, only frames of the program are of interest.
function hideOwnFrames(error) {
  require('internal/errors').overrideStackTrace.set(error, (error, frames) => {
    const shown = frames.filter((frame) => !frame.getFileName()?.startsWith('node:internal'));
    return [error, ...shown].join('\n    at ');
  });
}

module.exports = {
  kSystemError,
  messages: {
    __proto__: null,

    // Arguments and values
    ERR_AMBIGUOUS_ARGUMENT: [TypeError, 'The "%s" argument is ambiguous. %s'],
    ERR_ARG_NOT_ITERABLE: [TypeError, '%s must be iterable'],
    ERR_ASSERTION: [Error, '%s'],
    ERR_CONSTRUCT_CALL_REQUIRED: [TypeError, 'Class constructor %s cannot be invoked without `new`'],
    ERR_ILLEGAL_CONSTRUCTOR: [TypeError, 'Illegal constructor'],
    ERR_INCOMPATIBLE_OPTION_PAIR: [TypeError,
      'Option "%s" cannot be used in combination with option "%s"'],
    ERR_INTERNAL_ASSERTION: [Error, (message) =>
      `${message === undefined ? '' : `${message}\n`}` +
      'This is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
      'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n'],
    ERR_INVALID_ARG_TYPE: [TypeError, describe.invalidArgType],
    ERR_INVALID_ARG_VALUE: [TypeError, describe.invalidArgValue, RangeError],
    ERR_INVALID_CHAR: [TypeError, (what, field) =>
      `Invalid character in ${what}${field === undefined ? '' : ` ["${field}"]`}`],
    ERR_INVALID_RETURN_PROPERTY: [TypeError, (expected, hook, property, value) =>
      `Expected a valid ${expected} to be returned for the "${property}" from the "${hook}" hook ` +
      `but got ${describe.receivedValue(value)}.`],
    ERR_INVALID_RETURN_PROPERTY_VALUE: [TypeError, (expected, hook, property, value) =>
      `Expected ${expected} to be returned for the "${property}" from the "${hook}" hook ` +
      `but got ${describe.receivedValue(value)}.`],
    ERR_INVALID_RETURN_VALUE: [TypeError, (expected, name, value) =>
      `Expected ${expected} to be returned from the "${name}" function ` +
      `but got ${describe.receivedValue(value)}.`, RangeError],
    ERR_INVALID_STATE: [Error, 'Invalid state: %s', TypeError, RangeError],
    ERR_INVALID_THIS: [TypeError, 'Value of "this" must be of type %s'],
    ERR_INVALID_TUPLE: [TypeError, '%s must be an iterable %s tuple'],
    ERR_METHOD_NOT_IMPLEMENTED: [Error, 'The %s method is not implemented'],
    ERR_MISSING_ARGS: [TypeError, describe.missingArgs],
    ERR_MISSING_OPTION: [TypeError, '%s is required'],
    ERR_MULTIPLE_CALLBACK: [Error, 'Callback called multiple times'],
    ERR_OPERATION_FAILED: [Error, 'Operation failed: %s', TypeError],
    ERR_OUT_OF_RANGE: [RangeError, describe.outOfRange],
    ERR_PARSE_ARGS_INVALID_OPTION_VALUE: [TypeError, '%s'],
    ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: [TypeError,
      "Unexpected argument '%s'. This command does not take positional arguments"],
    ERR_PARSE_ARGS_UNKNOWN_OPTION: [TypeError, (option, positionalsAllowed) =>
      `Unknown option '${option}'` + (positionalsAllowed ?
        ". To specify a positional argument starting with a '-', place it at the end of the " +
        `command after '--', as in '-- "${option}"` : '')],
    ERR_USE_AFTER_CLOSE: [Error, '%s was closed'],

    // Cryptography
    ERR_CRYPTO_ARGON2_NOT_SUPPORTED: [Error, 'Argon2 algorithm not supported'],
    ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED: [Error, 'Custom engines not supported by this OpenSSL'],
    ERR_CRYPTO_ECDH_INVALID_FORMAT: [TypeError, 'Invalid ECDH format: %s'],
    ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY: [Error, 'Public key is not valid for specified curve'],
    ERR_CRYPTO_ENGINE_UNKNOWN: [Error, 'Engine "%s" was not found'],
    ERR_CRYPTO_FIPS_FORCED: [Error, 'Cannot set FIPS mode, it was forced with --force-fips at startup.'],
    ERR_CRYPTO_FIPS_UNAVAILABLE: [Error, 'Cannot set FIPS mode in a non-FIPS build.'],
    ERR_CRYPTO_HASH_FINALIZED: [Error, 'Digest already called'],
    ERR_CRYPTO_HASH_UPDATE_FAILED: [Error, 'Hash update failed'],
    ERR_CRYPTO_INCOMPATIBLE_KEY: [Error, 'Incompatible %s: %s'],
    ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS: [Error, 'The selected key encoding %s %s.'],
    ERR_CRYPTO_INVALID_DIGEST: [TypeError, 'Invalid digest: %s'],
    ERR_CRYPTO_INVALID_JWK: [TypeError, 'Invalid JWK data'],
    ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE: [TypeError, 'Invalid key object type %s, expected %s.'],
    ERR_CRYPTO_INVALID_MAC: [TypeError, 'Invalid MAC: %s'],
    ERR_CRYPTO_INVALID_STATE: [Error, 'Invalid state for operation %s'],
    ERR_CRYPTO_KEM_NOT_SUPPORTED: [Error, 'KEM is not supported'],
    ERR_CRYPTO_MAC_FINALIZED: [Error, 'MAC already finalized'],
    ERR_CRYPTO_MAC_NOT_SUPPORTED: [Error, 'MAC is not supported'],
    ERR_CRYPTO_MAC_UPDATE_FAILED: [Error, 'MAC update failed'],
    ERR_CRYPTO_PBKDF2_ERROR: [Error, 'PBKDF2 error'],
    ERR_CRYPTO_SCRYPT_NOT_SUPPORTED: [Error, 'Scrypt algorithm not supported'],
    ERR_CRYPTO_SIGN_KEY_REQUIRED: [Error, 'No key provided to sign'],

    // Buffers, encodings, URLs
    ERR_BUFFER_OUT_OF_BOUNDS: [RangeError, (name) => (name ?
      `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds')],
    ERR_BUFFER_TOO_LARGE: [RangeError, 'Cannot create a Buffer larger than %s bytes'],
    ERR_ENCODING_INVALID_ENCODED_DATA: [TypeError, function (encoding, errno) {
      this.errno = errno;
      return `The encoded data was not valid for encoding ${encoding}`;
    }],
    ERR_ENCODING_NOT_SUPPORTED: [RangeError, 'The "%s" encoding is not supported'],
    ERR_INVALID_BUFFER_SIZE: [RangeError, 'Buffer size must be a multiple of %s'],
    ERR_INVALID_FILE_URL_HOST: [TypeError, 'File URL host must be "localhost" or empty on %s'],
    ERR_INVALID_FILE_URL_PATH: [TypeError, function(reason, input) {
      if (input !== undefined) this.input = input;
      return `File URL path ${reason}`;
    }],
    ERR_INVALID_MIME_SYNTAX: [TypeError, (production, text, index) =>
      `The MIME syntax for a ${production} in "${text}" is invalid` +
      (index === -1 ? '' : ` at ${index}`)],
    ERR_INVALID_URI: [URIError, 'URI malformed'],
    ERR_INVALID_URL: [TypeError, function (input, base = null) {
      this.input = input;
      if (base != null) this.base = base;
      return 'Invalid URL';
    }],
    ERR_INVALID_URL_SCHEME: [TypeError, (expected) => {
      const schemes = typeof expected === 'string' ? [expected] : expected;
      return `The URL must be ${schemes.length > 1 ? 'one ' : ''}of scheme ${schemes.join(' or ')}`;
    }],
    ERR_NO_TEMPORAL: [Error, 'Temporal is not supported in this environment'],
    ERR_NO_ICU: [TypeError, '%s is not supported on Node.js compiled without ICU'],
    ERR_UNESCAPED_CHARACTERS: [TypeError, '%s contains unescaped characters'],
    ERR_UNKNOWN_ENCODING: [TypeError, 'Unknown encoding: %s'],

    // Events, ticks, promises, async hooks, process
    ERR_ASYNC_CALLBACK: [TypeError, '%s must be a function'],
    ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED: [Error, 'Async loader request never settled'],
    ERR_ASYNC_TYPE: [TypeError, 'Invalid name for async "type": %s'],
    ERR_CANNOT_WATCH_SIGINT: [Error, 'Cannot watch for SIGINT signals'],
    ERR_EVENT_RECURSION: [Error, 'The event "%s" is already being dispatched'],
    ERR_FALSY_VALUE_REJECTION: [Error, function (reason) {
      this.reason = reason;
      return 'Promise was rejected with falsy value';
    }],
    ERR_FEATURE_UNAVAILABLE_ON_PLATFORM: [TypeError,
      'The feature %s is unavailable on the current platform, which is being used to run Node.js'],
    ERR_INSPECTOR_ALREADY_ACTIVATED: [Error,
      'Inspector is already activated. Close it with inspector.close() before activating it again.'],
    ERR_INSPECTOR_ALREADY_CONNECTED: [Error, '%s is already connected'],
    ERR_INSPECTOR_CLOSED: [Error, 'Session was closed'],
    ERR_INSPECTOR_COMMAND: [Error, 'Inspector error %d: %s'],
    ERR_INSPECTOR_NOT_ACTIVE: [Error, 'Inspector is not active'],
    ERR_INSPECTOR_NOT_AVAILABLE: [Error, 'Inspector is not available'],
    ERR_INSPECTOR_NOT_CONNECTED: [Error, 'Session is not connected'],
    ERR_INSPECTOR_NOT_WORKER: [Error, 'Current thread is not a worker'],
    ERR_INVALID_ASYNC_ID: [RangeError, 'Invalid %s value: %s'],
    ERR_NOT_BUILDING_SNAPSHOT: [Error,
      'Operation cannot be invoked when not building startup snapshot'],
    ERR_PERFORMANCE_INVALID_TIMESTAMP: [TypeError, (value) => `${+value} is not a valid timestamp`],
    ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS: [TypeError, '%s'],
    ERR_TEST_FAILURE: [Error, function(error, failureType) {
      hideOwnFrames(this);
      this.failureType = failureType;
      this.cause = error;
      const message = error?.message ?? error;
      return typeof message === 'string' ? message :
        require('internal/test_runner/reporters/inspect_safely').inspectSafely(message);
    }],
    ERR_SYNTHETIC: [Error, 'JavaScript Callstack'],
    ERR_TRACE_EVENTS_CATEGORY_REQUIRED: [TypeError, 'At least one category is required'],
    ERR_TRACE_EVENTS_UNAVAILABLE: [Error, 'Trace events are unavailable'],
    ERR_UNAVAILABLE_DURING_EXIT: [Error, 'Cannot call function in process exit handler'],
    ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET: [Error,
      '`process.setupUncaughtExceptionCapture()` was called while a capture callback ' +
      'was already active'],
    ERR_UNHANDLED_ERROR: [Error, (value) =>
      (value === undefined ? 'Unhandled error.' : `Unhandled error. (${value})`)],
    ERR_UNKNOWN_CREDENTIAL: [Error, '%s identifier does not exist: %s'],
    ERR_UNKNOWN_SIGNAL: [TypeError, 'Unknown signal: %s'],
    ERR_VALID_PERFORMANCE_ENTRY_TYPE: [Error,
      'At least one valid performance entry type is required'],

    // Modules, vm, REPL, command line
    ERR_CONTEXT_NOT_INITIALIZED: [Error, 'context used is not initialized'],
    ERR_EVAL_ESM_CANNOT_PRINT: [Error, '--print cannot be used with ESM input'],
    ERR_IMPORT_ATTRIBUTE_MISSING: [TypeError,
      'Module "%s" needs an import attribute of "%s: %s"'],
    ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE: [TypeError, 'Module "%s" is not of type "%s"'],
    ERR_IMPORT_ATTRIBUTE_UNSUPPORTED: [TypeError,
      'Import attribute "%s" with value "%s" is not supported in %s'],
    ERR_INPUT_TYPE_NOT_ALLOWED: [Error,
      '--input-type can only be used with string input via --eval, --print, or STDIN'],
    ERR_INVALID_MODULE_SPECIFIER: [TypeError, (specifier, reason, base) =>
      `Invalid module "${specifier}" ${reason}${importedFrom(base)}`],
    ERR_INVALID_PACKAGE_CONFIG: [Error, (path, base, message) =>
      `Invalid package config ${path}${base ? ` while importing ${base}` : ''}` +
      `${message ? `. ${message}` : ''}`],
    ERR_INVALID_PACKAGE_TARGET: [Error, describe.invalidPackageTarget],
    ERR_INVALID_REPL_EVAL_CONFIG: [TypeError,
      'Cannot specify both "breakEvalOnSigint" and "eval" for REPL'],
    ERR_INVALID_REPL_INPUT: [TypeError, '%s'],
    ERR_LOADER_CHAIN_INCOMPLETE: [Error,
      '"%s" did not call the next hook in its chain and did not explicitly signal a short ' +
      "circuit. If this is intentional, include `shortCircuit: true` in the hook's return."],
    ERR_MODULE_LINK_MISMATCH: [TypeError, '%s'],
    ERR_MODULE_NOT_FOUND: [Error, function (path, base, exactUrl) {
      if (exactUrl) setOwn(this, 'url', `${exactUrl}`);
      return `Cannot find ${exactUrl ? 'module' : 'package'} '${path}' imported from ${base}`;
    }],
    ERR_NETWORK_IMPORT_DISALLOWED: [Error, "import of '%s' by %s is not supported: %s"],
    ERR_PACKAGE_IMPORT_NOT_DEFINED: [TypeError, (specifier, packagePath, base) =>
      `Package import specifier "${specifier}" is not defined` +
      `${packagePath ? ` in package ${packagePath}package.json` : ''}${importedFrom(base)}`],
    ERR_PACKAGE_MAP_EXTERNAL_FILE: [Error,
      'Cannot resolve "%s" from "%s": file is not within any package defined in %s'],
    ERR_PACKAGE_MAP_INVALID: [SyntaxError, 'Invalid package-map.json at "%s": %s'],
    ERR_PACKAGE_MAP_KEY_NOT_FOUND: [Error,
      'Package key "%s" referenced in dependencies but not defined in %s'],
    ERR_PACKAGE_PATH_NOT_EXPORTED: [Error, (packagePath, subpath, base) => (subpath === '.' ?
      `No "exports" main defined in ${packagePath}package.json` :
      `Package subpath '${subpath}' is not defined by "exports" in ${packagePath}package.json`) +
      importedFrom(base)],
    ERR_REQUIRE_ASYNC_MODULE: [Error, function (filename, requireStack) {
      if (requireStack !== undefined) {
        Object.defineProperty(this, 'requireStack', {
          __proto__: null, value: requireStack, writable: true, configurable: true,
        });
      }
      const { getOptionValue } = require('internal/options');
      return 'require() cannot be used on an ESM graph with top-level await. Use import() instead.' +
        (getOptionValue('--experimental-print-required-tla') ? '' : ' To see where the top-level await comes ' +
          'from, use --experimental-print-required-tla.') +
        (filename ? `\nRequired module: ${filename}` : '') +
        (requireStack?.length > 0 ? `\nRequire stack:\n- ${requireStack.join('\n- ')}` : '');
    }],
    ERR_REQUIRE_CYCLE_MODULE: [Error, '%s'],
    ERR_REQUIRE_ESM: [Error, describe.requireOfESModule],
    ERR_REQUIRE_ESM_RACE_CONDITION: [Error, (filename, parent) =>
      `Cannot require() ES Module ${filename} because it is not yet fully loaded.\n` +
      'This may be caused by a race condition if the module is simultaneously dynamically ' +
      'import()-ed via ' + 'Promise.all().\nTry await-ing the import() sequentially in a loop ' +
      `instead.\n (From ${parent ? `${parent} in ` : ' '}non-loader-hook thread)`],
    ERR_SCRIPT_EXECUTION_INTERRUPTED: [Error, 'Script execution was interrupted by `SIGINT`'],
    ERR_SOURCE_PHASE_NOT_DEFINED: [SyntaxError,
      "Source phase import object is not defined for module '%s'"],
    ERR_UNKNOWN_BUILTIN_MODULE: [Error, 'No such built-in module: %s'],
    ERR_UNKNOWN_FILE_EXTENSION: [TypeError, 'Unknown file extension "%s" for %s'],
    ERR_UNKNOWN_MODULE_FORMAT: [RangeError, 'Unknown module format: %s for URL %s'],
    ERR_UNSUPPORTED_DIR_IMPORT: [Error, function (path, base, exactUrl) {
      setOwn(this, 'url', exactUrl);
      return `Directory import '${path}' is not supported resolving ES modules ` +
        `imported from ${base}`;
    }],
    ERR_UNSUPPORTED_ESM_URL_SCHEME: [Error, (url, supported) =>
      `Only URLs with a scheme in: ${formatList(supported)} are supported by the default ESM ` +
      `loader. Received protocol '${url.protocol}'`],
    ERR_INVALID_TYPESCRIPT_SYNTAX: [SyntaxError, '%s'],
    ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: [Error, 'Stripping types is currently ' +
      'unsupported for files under node_modules, for "%s"'],
    ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: [SyntaxError, '%s'],
    ERR_UNSUPPORTED_RESOLVE_REQUEST: [TypeError,
      'Failed to resolve module specifier "%s" from "%s": Invalid relative URL or base scheme ' +
      'is not hierarchical.'],
    ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING: [TypeError,
      'A dynamic import callback was not specified.'],
    ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG: [TypeError,
      'A dynamic import callback was invoked without --experimental-vm-modules'],
    ERR_WASI_ALREADY_STARTED: [Error, 'WASI instance has already started'],
    ERR_VM_MODULE_ALREADY_LINKED: [Error, 'Module has already been linked'],
    ERR_VM_MODULE_CACHED_DATA_REJECTED: [Error, 'cachedData buffer was rejected'],
    ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA: [Error,
      'Cached data cannot be created for a module which has been evaluated'],
    ERR_VM_MODULE_DIFFERENT_CONTEXT: [Error, 'Linked modules must use the same context'],
    ERR_VM_MODULE_LINK_FAILURE: [Error, function (message, cause) {
      this.cause = cause;
      return message;
    }],
    ERR_VM_MODULE_NOT_MODULE: [Error, 'Provided module is not an instance of Module'],
    ERR_VM_MODULE_STATUS: [Error, 'Module status %s'],
    ERR_WEBASSEMBLY_RESPONSE: [TypeError, 'WebAssembly response %s'],

    // Console and terminal
    ERR_CONSOLE_WRITABLE_STREAM: [TypeError,
      'Console expects a writable stream instance for %s'],
    ERR_INVALID_CURSOR_POS: [TypeError, 'Cannot set cursor row without setting its column'],
    ERR_TTY_INIT_FAILED: [kSystemError, 'TTY initialization failed'],

    // What options forbid
    ERR_DLOPEN_DISABLED: [Error, 'Cannot load native addon because loading addons is disabled.'],
    ERR_PROTO_ACCESS: [Error,
      'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw'],

    // Files
    ERR_ACCESS_DENIED: [Error, function (message, permission = '', resource = '') {
      this.permission = permission;
      this.resource = resource;
      return message;
    }],
    ERR_DIR_CLOSED: [Error, 'Directory handle was closed'],
    ERR_DIR_CONCURRENT_OPERATION: [Error,
      'Cannot do synchronous work on directory handle with concurrent asynchronous operations'],
    ERR_FS_CP_DIR_TO_NON_DIR: [kSystemError, 'Cannot overwrite non-directory with directory'],
    ERR_FS_CP_EEXIST: [kSystemError, 'Target already exists'],
    ERR_FS_CP_EINVAL: [kSystemError, 'Invalid src or dest'],
    ERR_FS_CP_FIFO_PIPE: [kSystemError, 'Cannot copy a FIFO pipe'],
    ERR_FS_CP_NON_DIR_TO_DIR: [kSystemError, 'Cannot overwrite directory with non-directory'],
    ERR_FS_CP_SOCKET: [kSystemError, 'Cannot copy a socket file'],
    ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: [kSystemError,
      'Cannot overwrite symlink in subdirectory of self'],
    ERR_FS_CP_UNKNOWN: [kSystemError, 'Cannot copy an unknown file type'],
    ERR_FS_EISDIR: [kSystemError, 'Path is a directory'],
    ERR_FS_FILE_TOO_LARGE: [RangeError, 'File size (%s) is greater than 2 GiB'],
    ERR_FS_INVALID_SYMLINK_TYPE: [Error,
      'Symlink type must be one of "dir", "file", or "junction". Received "%s"'],
    ERR_FS_WATCH_QUEUE_OVERFLOW: [Error, 'fs.watch() queued more than %d events'],
    ERR_INVALID_FD: [RangeError, '"fd" must be a positive integer: %s'],
    ERR_INVALID_FD_TYPE: [TypeError, 'Unsupported fd type: %s'],
    ERR_SYSTEM_ERROR: [kSystemError, 'A system error occurred'],

    // Streams
    ERR_STREAM_ALREADY_FINISHED: [Error, 'Cannot call %s after a stream was finished'],
    ERR_STREAM_CANNOT_PIPE: [Error, 'Cannot pipe, not readable'],
    ERR_STREAM_DESTROYED: [Error, 'Cannot call %s after a stream was destroyed'],
    ERR_STREAM_ITER_MISSING_FLAG: [TypeError,
      'The stream/iter API requires the --experimental-stream-iter flag'],
    ERR_STREAM_NULL_VALUES: [TypeError, 'May not write null values to stream'],
    ERR_STREAM_PREMATURE_CLOSE: [Error, 'Premature close'],
    ERR_STREAM_PUSH_AFTER_EOF: [Error, 'stream.push() after EOF'],
    ERR_STREAM_UNABLE_TO_PIPE: [Error, 'Cannot pipe to a closed or destroyed stream'],
    ERR_STREAM_UNSHIFT_AFTER_END_EVENT: [Error, 'stream.unshift() after end event'],
    ERR_STREAM_WRAP: [Error, 'Stream has StringDecoder set or is in objectMode'],
    ERR_STREAM_WRITE_AFTER_END: [Error, 'write after end'],

    // Compression
    ERR_BROTLI_INVALID_PARAM: [RangeError, '%s is not a valid Brotli parameter'],
    ERR_TRAILING_JUNK_AFTER_STREAM_END: [TypeError,
      'Trailing junk found after the end of the compressed stream'],
    ERR_ZSTD_INVALID_PARAM: [RangeError, '%s is not a valid zstd parameter'],

    // Network
    ERR_DNS_SET_SERVERS_FAILED: [Error, 'c-ares failed to set servers: "%s" [%s]'],
    ERR_INVALID_ADDRESS: [Error, 'Invalid socket address'],
    ERR_INVALID_ADDRESS_FAMILY: [RangeError, function (addressType, host, port) {
      this.host = host;
      this.port = port;
      return `Invalid address family: ${addressType} ${host}:${port}`;
    }],
    ERR_INVALID_HANDLE_TYPE: [TypeError, 'This handle type cannot be sent'],
    ERR_INVALID_IP_ADDRESS: [TypeError, 'Invalid IP address: %s'],
    ERR_IP_BLOCKED: [Error, (ip) => `IP(${ip}) is blocked by net.BlockList`],
    ERR_SERVER_ALREADY_LISTEN: [Error,
      'Listen method has been called more than once without closing.'],
    ERR_SERVER_NOT_RUNNING: [Error, 'Server is not running.'],
    ERR_SOURCE_MAP_CORRUPT: [Error, "The source map for '%s' does not exist or is corrupt."],
    ERR_SOURCE_MAP_MISSING_SOURCE: [Error, "Cannot find '%s' imported from the source map for '%s'"],
    ERR_SOCKET_ALREADY_BOUND: [Error, 'Socket is already bound'],
    ERR_SOCKET_BAD_BUFFER_SIZE: [TypeError, 'Buffer size must be a positive integer'],
    ERR_SOCKET_BAD_PORT: [RangeError, (name, port, allowZero = true) =>
      `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. ` +
      `Received ${describe.receivedValue(port)}.`],
    ERR_SOCKET_BAD_TYPE: [TypeError, 'Bad socket type specified. Valid types are: udp4, udp6'],
    ERR_SOCKET_BUFFER_SIZE: [kSystemError, 'Could not get or set buffer size'],
    ERR_SOCKET_CLOSED: [Error, 'Socket is closed'],
    ERR_SOCKET_CLOSED_BEFORE_CONNECTION: [Error,
      'Socket closed before the connection was established'],
    ERR_SOCKET_CONNECTION_TIMEOUT: [Error, 'Socket connection timeout'],
    ERR_SOCKET_DGRAM_IS_CONNECTED: [Error, 'Already connected'],
    ERR_SOCKET_DGRAM_NOT_CONNECTED: [Error, 'Not connected'],
    ERR_SOCKET_DGRAM_NOT_RUNNING: [Error, 'Not running'],
    ERR_SOCKET_HANDLE_ADOPTED: [Error, 'The bound socket has already been adopted by a server or socket'],

    // TLS
    ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: [TypeError, (value, protocols) =>
      `ALPN callback returned a value (${value}) that did not match any of the client's offered ` +
      `protocols (${protocols.join(', ')})`],
    ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS: [TypeError,
      'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive'],
    ERR_TLS_CERT_ALTNAME_FORMAT: [SyntaxError, 'Invalid subject alternative name string'],
    ERR_TLS_CERT_ALTNAME_INVALID: [Error, function (reason, host, cert) {
      this.reason = reason;
      this.host = host;
      this.cert = cert;
      return `Hostname/IP does not match certificate's altnames: ${reason}`;
    }],
    ERR_TLS_DH_PARAM_SIZE: [Error, 'DH parameter size %s is less than 2048'],
    ERR_TLS_HANDSHAKE_TIMEOUT: [Error, 'TLS handshake timeout'],
    ERR_TLS_INVALID_CONTEXT: [TypeError, '%s must be a SecureContext'],
    ERR_TLS_INVALID_PROTOCOL_VERSION: [TypeError, '%j is not a valid %s TLS protocol version'],
    ERR_TLS_INVALID_STATE: [Error, 'TLS socket connection must be securely established'],
    ERR_TLS_PROTOCOL_VERSION_CONFLICT: [TypeError, 'TLS protocol version %j conflicts with secureProtocol %j'],
    ERR_TLS_RENEGOTIATION_DISABLED: [Error, 'TLS session renegotiation disabled for this socket'],
    ERR_TLS_REQUIRED_SERVER_NAME: [Error, '"servername" is required parameter for Server.addContext'],
    ERR_TLS_SESSION_ATTACK: [Error, 'TLS session renegotiation attack detected'],
    ERR_THROTTLED: [Error, 'The call was dropped by the throttled function'],
    ERR_TLS_SNI_FROM_SERVER: [Error, 'Cannot issue SNI from a TLS server-side socket'],

    // HTTP/2
    ERR_HTTP2_ALTSVC_INVALID_ORIGIN: [TypeError, 'HTTP/2 ALTSVC frames require a valid origin'],
    ERR_HTTP2_ALTSVC_LENGTH: [TypeError, 'HTTP/2 ALTSVC frames are limited to 16382 bytes'],
    ERR_HTTP2_CONNECT_AUTHORITY: [Error, ':authority header is required for CONNECT requests'],
    ERR_HTTP2_CONNECT_PATH: [Error, 'The :path header is forbidden for CONNECT requests'],
    ERR_HTTP2_CONNECT_SCHEME: [Error, 'The :scheme header is forbidden for CONNECT requests'],
    ERR_HTTP2_GOAWAY_SESSION: [Error, 'New streams cannot be created after receiving a GOAWAY'],
    ERR_HTTP2_HEADERS_AFTER_RESPOND: [Error, 'Cannot specify additional headers after response initiated'],
    ERR_HTTP2_HEADERS_SENT: [Error, 'Response has already been initiated.'],
    ERR_HTTP2_HEADER_SINGLE_VALUE: [TypeError, 'Header field "%s" must only have a single value'],
    ERR_HTTP2_INFO_STATUS_NOT_ALLOWED: [RangeError, 'Informational status codes cannot be used'],
    ERR_HTTP2_INVALID_CONNECTION_HEADERS: [TypeError,
      'HTTP/1 Connection specific headers are forbidden: "%s"'],
    ERR_HTTP2_INVALID_HEADER_VALUE: [TypeError, 'Invalid value "%s" for header "%s"'],
    ERR_HTTP2_INVALID_INFO_STATUS: [RangeError, 'Invalid informational status code: %s'],
    ERR_HTTP2_INVALID_ORIGIN: [TypeError, 'HTTP/2 ORIGIN frames require a valid origin'],
    ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH: [RangeError,
      'Packed settings length must be a multiple of six'],
    ERR_HTTP2_INVALID_PSEUDOHEADER: [TypeError, '"%s" is an invalid pseudoheader or is used incorrectly'],
    ERR_HTTP2_INVALID_SESSION: [Error, 'The session has been destroyed'],
    ERR_HTTP2_INVALID_SETTING_VALUE: [TypeError, function(name, actual, min = undefined, max = undefined) {
      this.actual = actual;
      if (min !== undefined) {
        this.min = min;
        this.max = max;
      }
      return `Invalid value for setting "${name}": ${actual}`;
    }, RangeError],
    ERR_HTTP2_INVALID_STREAM: [Error, 'The stream has been destroyed'],
    ERR_HTTP2_MAX_PENDING_SETTINGS_ACK: [Error, 'Maximum number of pending settings acknowledgements'],
    ERR_HTTP2_NESTED_PUSH: [Error, 'A push stream cannot initiate another push stream.'],
    ERR_HTTP2_NO_MEM: [Error, 'Out of memory'],
    ERR_HTTP2_NO_SOCKET_MANIPULATION: [Error,
      'HTTP/2 sockets should not be directly manipulated (e.g. read and written)'],
    ERR_HTTP2_ORIGIN_LENGTH: [TypeError, 'HTTP/2 ORIGIN frames are limited to 16382 bytes'],
    ERR_HTTP2_OUT_OF_STREAMS: [Error,
      'No stream ID is available because maximum stream ID has been reached'],
    ERR_HTTP2_PAYLOAD_FORBIDDEN: [Error, 'Responses with %s status must not have a payload'],
    ERR_HTTP2_PING_CANCEL: [Error, 'HTTP2 ping cancelled'],
    ERR_HTTP2_PING_LENGTH: [RangeError, 'HTTP2 ping payload must be 8 bytes'],
    ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED: [TypeError, 'Cannot set HTTP/2 pseudo-headers'],
    ERR_HTTP2_PUSH_DISABLED: [Error, 'HTTP/2 client has disabled push streams'],
    ERR_HTTP2_SEND_FILE: [Error, 'Directories cannot be sent'],
    ERR_HTTP2_SEND_FILE_NOSEEK: [Error, 'Offset or length can only be specified for regular files'],
    ERR_HTTP2_SESSION_ERROR: [Error, 'Session closed with error code %s'],
    ERR_HTTP2_SETTINGS_CANCEL: [Error, 'HTTP2 session settings canceled'],
    ERR_HTTP2_SOCKET_BOUND: [Error, 'The socket is already bound to an Http2Session'],
    ERR_HTTP2_SOCKET_UNBOUND: [Error, 'The socket has been disconnected from the Http2Session'],
    ERR_HTTP2_STATUS_101: [Error, 'HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2'],
    ERR_HTTP2_STATUS_INVALID: [RangeError, 'Invalid status code: %s'],
    ERR_HTTP2_STREAM_CANCEL: [Error, function(error) {
      if (!error) return 'The pending stream has been canceled';
      this.cause = error;
      const reason = typeof error.message === 'string' ? ` (caused by: ${error.message})` : '';
      return `The pending stream has been canceled${reason}`;
    }],
    ERR_HTTP2_STREAM_ERROR: [Error, 'Stream closed with error code %s'],
    ERR_HTTP2_STREAM_SELF_DEPENDENCY: [Error, 'A stream cannot depend on itself'],
    ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS: [Error, 'Number of custom settings exceeds MAX_ADDITIONAL_SETTINGS'],
    ERR_HTTP2_TOO_MANY_INVALID_FRAMES: [Error, 'Too many invalid HTTP/2 frames'],
    ERR_HTTP2_TOO_MANY_ORIGINS: [Error,
      'The server sent more ORIGIN frames than the allowed number of %s'],
    ERR_HTTP2_TRAILERS_ALREADY_SENT: [Error, 'Trailing headers have already been sent'],
    ERR_HTTP2_TRAILERS_NOT_READY: [Error,
      'Trailing headers cannot be sent until after the wantTrailers event is emitted'],
    ERR_HTTP2_UNSUPPORTED_PROTOCOL: [Error, 'protocol "%s" is unsupported.'],

    // HTTP
    ERR_HTTP_BODY_NOT_ALLOWED: [Error,
      'Adding content for this request method or response status is not allowed.'],
    ERR_HTTP_CONTENT_LENGTH_MISMATCH: [Error,
      "Response body's content-length of %s byte(s) does not match the content-length of %s " +
      'byte(s) set in header'],
    ERR_HTTP_HEADERS_SENT: [Error, 'Cannot %s headers after they are sent to the client'],
    ERR_HTTP_INVALID_HEADER_VALUE: [TypeError, 'Invalid value "%s" for header "%s"'],
    ERR_HTTP_INVALID_STATUS_CODE: [RangeError, 'Invalid status code: %s'],
    ERR_HTTP_REQUEST_TIMEOUT: [Error, 'Request timeout'],
    ERR_HTTP_SOCKET_ASSIGNED: [Error, 'ServerResponse has an already assigned socket'],
    ERR_HTTP_SOCKET_ENCODING: [Error,
      'Changing the socket encoding is not allowed per RFC7230 Section 3.'],
    ERR_HTTP_TRAILER_INVALID: [Error, 'Trailers are invalid with this transfer encoding'],
    ERR_INVALID_HTTP_TOKEN: [TypeError, '%s must be a valid HTTP token ["%s"]'],
    ERR_INVALID_PROTOCOL: [TypeError, 'Protocol "%s" not supported. Expected "%s"'],
    ERR_PROXY_INVALID_CONFIG: [Error, '%s'],
    ERR_PROXY_TUNNEL: [Error, '%s'],

    // Child processes and workers
    ERR_CHILD_CLOSED_BEFORE_REPLY: [Error, 'Child closed before reply received'],
    ERR_CHILD_PROCESS_IPC_REQUIRED: [Error,
      "Forked processes must have an IPC channel, missing value 'ipc' in %s"],
    ERR_CHILD_PROCESS_STDIO_MAXBUFFER: [RangeError, '%s maxBuffer length exceeded'],
    ERR_INVALID_SYNC_FORK_INPUT: [TypeError,
      'Asynchronous forks do not support Buffer, TypedArray, DataView or string input: %s'],
    ERR_IPC_CHANNEL_CLOSED: [Error, 'Channel closed'],
    ERR_IPC_DISCONNECTED: [Error, 'IPC channel is already disconnected'],
    ERR_IPC_ONE_PIPE: [Error, 'Child process can have only one IPC pipe'],
    ERR_IPC_SYNC_FORK: [Error, 'IPC cannot be used with synchronous forks'],
    ERR_CPU_PROFILE_TOO_MANY: [Error, 'There are too many CPU profiles'],
    ERR_HEAP_PROFILE_HAVE_BEEN_STARTED: [Error, 'Heap profile has been started'],
    ERR_WEBASSEMBLY_NOT_SUPPORTED: [Error,
      'WebAssembly is not supported in this environment, but is required for %s'],
    ERR_WORKER_HANDLE_NOT_TRANSFERABLE: [Error, '%s cannot be transferred in its current state; it must be a freshly created or ' +
      'accepted handle that has not started reading and has no pending writes'],
    ERR_WORKER_INIT_FAILED: [Error, 'Worker initialization failure: %s'],
    ERR_WORKER_INVALID_EXEC_ARGV: [Error, (errors, source = 'invalid execArgv flags') =>
      `Initiated Worker with ${source}: ${errors.join(', ')}`],
    ERR_WORKER_MESSAGING_ERRORED: [Error, 'The destination thread threw an error while processing the message'],
    ERR_WORKER_MESSAGING_FAILED: [Error, 'Cannot find the destination thread or listener'],
    ERR_WORKER_MESSAGING_SAME_THREAD: [Error, 'Cannot sent a message to the same thread'],
    ERR_WORKER_MESSAGING_TIMEOUT: [Error, 'Sending a message to another thread timed out'],
    ERR_WORKER_NOT_RUNNING: [Error, 'Worker instance not running'],
    ERR_WORKER_OUT_OF_MEMORY: [Error, 'Worker terminated due to reaching memory limit: %s'],
    ERR_WORKER_PATH: [TypeError, (filename) =>
      'The worker script or module filename must be an absolute path or a relative path starting ' +
      `with './' or '../'.${`${filename}`.startsWith('file://') ? ' Wrap file:// URLs with `new URL`.' : ''}` +
      `${`${filename}`.startsWith('data:text/javascript') ? ' Wrap data: URLs with `new URL`.' : ''}` +
      ` Received "${filename}"`],
    ERR_WORKER_UNSERIALIZABLE_ERROR: [Error, 'Serializing an uncaught exception failed'],
    ERR_WORKER_UNSUPPORTED_OPERATION: [TypeError, '%s is not supported in workers'],

    // Single-executable applications
    ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION: [Error,
      'Operation cannot be invoked when not in a single-executable application'],

    // ZIP archives
    ERR_ZIP_ARCHIVE_TOO_LARGE: [RangeError, 'ZIP archive structure exceeds the allowed size: %s'],
    ERR_ZIP_ENTRY_CORRUPT: [Error, 'ZIP entry is corrupt: %s'],
    ERR_ZIP_ENTRY_NOT_FOUND: [Error, 'no such entry %j in the archive'],
    ERR_ZIP_ENTRY_TOO_LARGE: [RangeError, 'ZIP entry exceeds the allowed size: %s'],
    ERR_ZIP_INVALID_ARCHIVE: [Error, 'invalid ZIP archive: %s'],
    ERR_ZIP_NOT_WRITABLE: [TypeError, 'this archive was not opened for writing'],
    ERR_ZIP_UNSUPPORTED_FEATURE: [Error, 'unsupported ZIP feature: %s'],
  },
};

// Not by assignment: a prototype may have a setter.
function setOwn(error, key, value) {
  Object.defineProperty(error, key, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}

function importedFrom(base) {
  return base ? ` imported from ${base}` : '';
}
