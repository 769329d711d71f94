'use strict';
// URLs, paths and query strings made of random pieces, to URL and its setters, URLSearchParams, url.parse(), url.resolve(),
// url.format(), querystring, the two halves of path and the conversions between paths and URLs.

const path = require('node:path');
const querystring = require('node:querystring');
const url = require('node:url');
const { Random } = require('./random.js');

const kSchemes = ['http:', 'https:', 'HTTP:', 'ws:', 'wss:', 'ftp:', 'file:', 'foo:', 'javascript:', 'mailto:', 'data:', 'blob:', 'non-special:', 'x+y.z-1:', ''];
const kSlashes = ['//', '/', '', '///', '\\\\', '\\', '/\\', '//'];
const kUsers = ['', '', '', 'user@', 'user:pass@', ':@', '@', 'a%40b:c@', 'us er@', 'u:p:q@', '\u00fc@'];
const kHosts = ['example.com', 'EXAMPLE.com', '127.0.0.1', '0x7f.1', '1.2.3', '256.1.1.1', '[::1]', '[1:2::3:4]', '[::127.0.0.1]', '[::1', 'a b',
  'b\u00fccher.example', 'xn--bcher-kva.example', 'xn--', '\u4f8b\u3048.jp', 'a%41b', 'a%00b', '', 'localhost', 'a_b', 'a..b', '.', 'a.', '999999999999', '0',
  'ex\tample', 'a<b', 'a|b', 'a^b', 'fa\u00df.de', '\u2100', '1e2', '0x', '09.1', 'a\u00adb', '\uff45xample', '\u{1f600}.com'];
const kPorts = ['', '', '', ':80', ':443', ':8080', ':0', ':65535', ':65536', ':', ':x', ':80x', ': 80', ':00021'];
const kPieces = ['a', 'b', '..', '.', '%2e', '%2E%2e', '.%2e', '', '/', '\\', '//', 'C:', 'C|', 'c%7C', '%20', ' ', '%', '%zz', '%e4', '\u00e4', '\u{1f600}',
  '\ud800', '?', '#', '&', '=', '+', ';', ':', '@', '"', '<', '>', '`', '{', '}', '|', '^', '[', ']', "'", '~', '!', '*', '\t', '\n', '\0', 'x=1', 'k=v&k=w',
  '%C3%A4', '%c3', 'dir', 'file.txt', '.hidden', 'a.b.c', 'CON:', 'nul', 'COM1', '...', 'server', 'share', 'k[]=1', '%00', '%2F', '%5c'];

function pieces(random, most, separator) {
  let text = '';
  for (let left = random.below(most + 1); left > 0; left--) text += random.pick(kPieces) + (random.chance(60) ? separator : '');
  return text;
}

function randomURL(random) {
  const text = random.pick(kSchemes) + random.pick(kSlashes) + random.pick(kUsers) + random.pick(kHosts) + random.pick(kPorts) +
    (random.chance(70) ? '/' + pieces(random, 4, '/') : '') + (random.chance(40) ? '?' + pieces(random, 4, '&') : '') +
    (random.chance(30) ? '#' + pieces(random, 2, '') : '');
  return random.chance(10) ? ` ${text}\t` : text;
}

function randomReference(random) {
  return random.chance(30) ? randomURL(random) : random.pick(['', '/', '//', '?', '#', '../', './']) + pieces(random, 5, '/');
}

function randomPath(random) {
  return random.pick(['', '', '/', '//', '\\', '\\\\', 'C:', 'c:\\', 'C:/', '\\\\?\\', '\\\\.\\', '\\\\server\\share\\', 'CON:', 'D:']) +
    pieces(random, 5, random.pick(['/', '\\', '']));
}

function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value, (key, member) => (member === undefined ? '(undefined)' : member));
}

function print(name, args, run) {
  let result;
  try {
    result = shown(run(...args));
  } catch (error) {
    result = `${error.name} ${error.code} ${error.message}`;
  }
  console.log(name, ...args.map(shown), '->', result);
}

function parts(object) {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = object;
  return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash, params: [...object.searchParams] };
}

const kSetters = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

function randomValue(random, name) {
  switch (name) {
    case 'href': return randomURL(random);
    case 'protocol': return random.pick(kSchemes);
    case 'host': return random.pick(kHosts) + random.pick(kPorts);
    case 'hostname': return random.pick(kHosts);
    case 'port': return random.pick(kPorts).slice(random.below(2)) + random.pick(['', '/', 'x']);
    default: return random.pick(['', '?', '#', '/']) + pieces(random, 3, '');
  }
}

function runParams(random) {
  const params = new URLSearchParams(pieces(random, 8, random.pick(['&', '=', ''])));
  for (let i = random.below(4); i > 0; i--) {
    const name = random.pick(kPieces);
    switch (random.below(5)) {
      case 0: params.append(name, random.pick(kPieces)); break;
      case 1: params.delete(name); break;
      case 2: params.set(name, pieces(random, 2, '')); break;
      case 3: params.sort(); break;
      default: params.delete(name, random.pick(kPieces));
    }
  }
  return [params.toString(), [...params], params.size];
}

const kActions = [
  (random) => print('new URL', random.chance(40) ? [randomReference(random), randomURL(random)] : [randomURL(random)],
    (...args) => parts(new URL(...args))),
  (random) => {
    const object = new URL(random.pick(['http://user:pass@example.com:8080/a/b?c=d#e', 'file:///C:/a/b', 'foo:opaque  ?q#f', 'foo://host/p', 'data:x ,y',
      'wss://h/', 'foo:/.//p']));
    for (let i = 0; i < 3; i++) {
      const name = random.pick(kSetters);
      print(`set ${name}`, [object.href, randomValue(random, name)], (_, value) => {
        object[name] = value;
        return parts(object);
      });
    }
  },
  (random) => print('URLSearchParams', [], () => runParams(random)),
  (random) => print('url.parse', [randomURL(random), random.chance(30), random.chance(30)], (...args) => ({ ...url.parse(...args) })),
  (random) => print('url.resolve', [randomURL(random), randomReference(random)], url.resolve),
  (random) => print('url.format', [{ protocol: random.pick(kSchemes), slashes: random.chance(50), auth: random.pick(kUsers), host: random.pick([undefined, ...kHosts]),
    hostname: random.pick(kHosts), port: random.below(100), pathname: pieces(random, 3, '/'), search: random.pick([undefined, pieces(random, 2, '')]),
    query: random.pick([undefined, { a: [1, 'x y'], b: '' }]), hash: pieces(random, 1, '') }], url.format),
  (random) => print('urlToHttpOptions', [randomURL(random)], (text) => url.urlToHttpOptions(new URL(text))),
  (random) => print('domainTo', [random.pick(kHosts)], (host) => [url.domainToASCII(host), url.domainToUnicode(host)]),
  (random) => print('pathToFileURL', [randomPath(random), { windows: random.chance(50) }], (text, options) => {
    // What is relative depends on where this runs.
    const { isAbsolute } = options.windows ? path.win32 : path.posix;
    return isAbsolute(text) ? url.pathToFileURL(text, options).href : 'relative';
  }),
  (random) => print('fileURLToPath', [`file:${random.pick(kSlashes)}${random.chance(20) ? random.pick(kHosts) : ''}/${pieces(random, 4, '/')}`,
    { windows: random.chance(50) }], url.fileURLToPath),
  (random) => print('querystring.parse', [pieces(random, 10, random.pick(['&', '=', ';', ''])), random.pick([undefined, '&', ';', '&&']),
    random.pick([undefined, '=', ':']), random.pick([undefined, { maxKeys: random.below(4) }])], querystring.parse),
  (random) => print('querystring.stringify', [{ [random.pick(kPieces)]: random.pick(kPieces), k: [random.pick(kPieces), 1, true, null, undefined], n: 1.5,
    o: {} }, random.pick([undefined, ';']), random.pick([undefined, ':'])], querystring.stringify),
  (random) => print('querystring.escape', [pieces(random, 4, '')], (text) => [querystring.escape(text.toWellFormed()), querystring.unescape(text)]),
];

const kPathFunctions = ['normalize', 'isAbsolute', 'dirname', 'extname', 'parse', 'basename', 'join', 'relative', 'toNamespacedPath', 'format'];
for (const half of ['posix', 'win32']) {
  for (let i = 0; i < 2; i++) {
    kActions.push((random) => {
      const name = random.pick(kPathFunctions);
      const args = [randomPath(random)];
      if (name === 'basename' && random.chance(50)) args.push(random.pick(['.txt', 'a', '', '.c', '/']));
      if (name === 'join') for (let more = random.below(3); more > 0; more--) args.push(randomPath(random));
      if (name === 'relative') {
        args[0] = `${half === 'posix' ? '/' : 'C:\\'}${args[0]}`;
        args.push(`${half === 'posix' ? '/' : 'C:\\'}${randomPath(random)}`);
      }
      if (name === 'toNamespacedPath' && !path[half].isAbsolute(args[0])) args[0] = `C:\\${args[0]}`;
      if (name === 'format') args[0] = { root: random.pick([undefined, '/', 'C:\\']), dir: random.pick([undefined, args[0]]), base: random.pick([undefined, 'b.c']), name: 'n', ext: random.pick([undefined, 'e', '.e']) };
      print(`${half}.${name}`, args, path[half][name]);
    });
  }
}

process.removeAllListeners('warning');
const first = Number(process.argv[2]);
const count = Number(process.argv[3]);
for (let seed = first; seed < first + count; seed++) {
  console.log(`# seed ${seed}`);
  const random = new Random(seed);
  for (let i = 0; i < 20; i++) random.pick(kActions)(random);
}
