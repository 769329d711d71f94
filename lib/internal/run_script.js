'use strict';
// --run: a script of the nearest package.json, by the shell. Its arguments follow `--`.

const path = require('path');
const { readFileSync } = require('fs');

function fail(message) {
  process._rawDebug(message);
  process.exit(1);
}

function foldersAbove(folder) {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function readAbove(start) {
  for (const folder of foldersAbove(start)) {
    const file = path.join(folder, 'package.json');
    try {
      return { folder, file, text: readFileSync(file, 'utf8') };
    } catch {
      // Perhaps further up.
    }
  }
  return fail(`Can't find package.json for directory ${start}`);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse({ file, text }) {
  try {
    const content = JSON.parse(text);
    if (isObject(content)) return content;
  } catch {
    // Said below.
  }
  return fail(`Can't parse ${file}`);
}

function findCommand(name, place) {
  const { scripts } = parse(place);
  if (!isObject(scripts)) return fail(`Can't find "scripts" field in ${place.file}`);
  const command = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (typeof command === 'string') return command;
  if (command !== undefined) return fail(`Script "${name}" is unexpectedly not a string for ${place.file}\n`);
  const lines = Object.entries(scripts).filter(([, text]) => typeof text === 'string')
    .map(([known, text]) => `  ${known}: ${text}\n`);
  return fail(`Missing script: "${name}" for ${place.file}\n\nAvailable scripts are:\n${lines.join('')}`.replace(/\n$/, ''));
}

// As one word of the shell.
function quote(text) {
  if (text === '') return "''";
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\"'\"'")}'`;
}

module.exports = function runScript(name, args) {
  const start = process.cwd();
  const place = readAbove(start);
  const command = [findCommand(name, place), ...args.map(quote)].join(' ');
  // Programs of the packages, from here up to where the file is.
  const programs = foldersAbove(start).filter((folder) => folder.length >= place.folder.length)
    .map((folder) => path.join(folder, 'node_modules', '.bin'));
  const env = {
    ...process.env,
    PATH: [...programs, process.env.PATH].join(path.delimiter),
    NODE_RUN_SCRIPT_NAME: name,
    NODE_RUN_PACKAGE_JSON_PATH: place.file,
  };
  const { spawnSync } = require('child_process');
  const { error, status } = spawnSync('/bin/sh', ['-c', command], { cwd: place.folder, env, stdio: 'inherit' });
  if (error) fail(error.message);
  process.exit(status === 0 ? 0 : 1); // as Node, whatever the script says
};
