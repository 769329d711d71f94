// Runs a script on real Node and on rondo, and compares output and exit code.
//
//   node compare.js SCRIPT PACKAGES RONDO
//
// PACKAGES is the folder that scripts/fetch_js.sh has filled from tests/packages. Each run gets a folder of its own below it, which
// is its working directory and holds a copy of the script and of support/: there both import and require() find the packages.
'use strict';

const { spawn } = require('node:child_process');
const { cpSync, mkdtempSync, rmSync, existsSync, mkdirSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

const kSeconds = 100;
const [script, packages, rondo] = process.argv.slice(2);

function run(program, folder) {
  const file = join(folder, basename(script));
  cpSync(script, file);
  cpSync(join(dirname(script), 'support'), join(folder, 'support'), { recursive: true });
  return new Promise((resolve) => {
    const child = spawn(program, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
    const chunks = { stdout: [], stderr: [] };
    child.stdout.on('data', (chunk) => chunks.stdout.push(chunk));
    child.stderr.on('data', (chunk) => chunks.stderr.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), kSeconds * 1000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        exit: code ?? signal,
        stdout: Buffer.concat(chunks.stdout).toString(),
        stderr: Buffer.concat(chunks.stderr).toString(),
      });
    });
  });
}

async function main() {
  if (!existsSync(join(packages, 'node_modules'))) {
    throw new Error(`${packages} has no packages: run scripts/fetch_js.sh build/packages tests/packages`);
  }
  mkdirSync(join(packages, 'runs'), { recursive: true });
  const folder = mkdtempSync(join(packages, 'runs', `${basename(script)}-`));
  // Two folders of one depth: what prints a relative path prints the same.
  const folders = ['node', 'ours'].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  });
  const [theirs, ours] = await Promise.all([run(process.execPath, folders[0]), run(rondo, folders[1])]);
  rmSync(folder, { recursive: true });

  // A script that fails on Node shows nothing about rondo.
  const same = theirs.exit === 0 && ours.exit === 0 && theirs.stdout === ours.stdout && theirs.stdout !== '';
  if (!same) {
    for (const [name, result] of Object.entries({ Node: theirs, rondo: ours })) {
      console.log(`---- ${name}: exit ${result.exit}\n${result.stdout}${result.stderr}`);
    }
  }
  process.exitCode = same ? 0 : 1;
}

main();
