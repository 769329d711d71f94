'use strict';
// What the tests of `rondo explain` share. They are run by rondo itself.

const { spawnSync } = require('node:child_process');
const path = require('node:path');

const root = path.resolve(__dirname, '../..');

// Runs `rondo ...arguments` in the folder of the repository: { status, stdout, stderr }, the last two as Buffers.
function rondo(...args) {
  const { error, ...result } = spawnSync(process.execPath, args, { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  if (error) throw error;
  return result;
}

// The document of a script, and the exit code.
function explain(script, ...options) {
  const { status, stdout, stderr } = rondo('explain', '--json', ...options, script);
  // Must be UTF-8, whatever the program printed.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(stdout);
  return { status, stderr: stderr.toString(), document: JSON.parse(text) };
}

// What the program of a document printed: 'stdout' or 'stderr'.
function printed(document, stream) {
  return Buffer.concat(document.output.filter((output) => output.stream === stream)
    .map(({ text, base64 }) => (base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64'))));
}

module.exports = { explain, printed, rondo, root };
