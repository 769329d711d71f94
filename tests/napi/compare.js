// Runs a script on real Node and on rondo with the same addons, and compares what they print and how they end.
//
//   node compare.js SCRIPT FOLDER_OF_ADDONS RONDO
'use strict';

const { spawn } = require('node:child_process');

const kSeconds = 100;
const [script, folder, rondo] = process.argv.slice(2);

function run(program) {
  return new Promise((resolve) => {
    const child = spawn(program, ['--expose-gc', '--no-warnings', script, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => output[name] += chunk);
    const timer = setTimeout(() => child.kill('SIGKILL'), kSeconds * 1000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: code ?? signal, ...output });
    });
  });
}

async function main() {
  const [theirs, ours] = await Promise.all([run(process.execPath), run(rondo)]);
  // A script that fails on Node shows nothing about rondo.
  if (theirs.exit === 0 && ours.exit === 0 && theirs.stdout !== '' && theirs.stdout === ours.stdout) return;
  process.exitCode = 1;
  for (const [name, { exit, stdout, stderr }] of Object.entries({ Node: theirs, rondo: ours })) {
    console.log(`---- ${name}: exit ${exit}\n${stdout}${stderr}`);
  }
}

main();
