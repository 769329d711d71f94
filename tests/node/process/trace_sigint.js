'use strict';
// util.setTraceSigInt() and --trace-sigint: SIGINT ends the process after its stack was printed.
const { spawnSync } = require('node:child_process');
const util = require('node:util');
const { Worker } = require('node:worker_threads');

const interrupt = () => process.kill(process.pid, 'SIGINT');
function spin() {
  for (;;);
}

const programs = {
  idle() {
    util.setTraceSigInt(true);
    setInterval(() => {}, 1000);
    setImmediate(() => setTimeout(interrupt, 1));
  },
  inMicrotask() {
    util.setTraceSigInt(true);
    Promise.resolve().then(function afterwards() {
      interrupt();
      spin();
    });
  },
  notCaught() {
    util.setTraceSigInt(true);
    process.on('exit', () => console.log('exit'));
    setTimeout(function later() {
      try {
        interrupt();
        spin();
      } finally {
        console.log('finally');
      }
    }, 1);
  },
  inAtomicsWait() {
    util.setTraceSigInt(true);
    interrupt();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  disabled() {
    util.setTraceSigInt(true);
    util.setTraceSigInt(true);
    util.setTraceSigInt(false);
    util.setTraceSigInt(false);
    interrupt();
    spin();
  },
  withListener() {
    util.setTraceSigInt(true);
    const listener = () => {
      console.log('listener');
      process.removeListener('SIGINT', listener);
      interrupt();
      spin();
    };
    process.on('SIGINT', listener);
    interrupt();
    setInterval(() => {}, 1000);
  },
  enabledInListener() {
    process.on('SIGINT', function listener() {
      util.setTraceSigInt(true);
      if (process.listenerCount('SIGINT') > 1) process.exit(5);
      process.on('SIGINT', () => {});
      interrupt();
    });
    interrupt();
    setInterval(() => {}, 1000);
  },
  byOption() {
    interrupt();
    spin();
  },
};

const chosen = process.argv[2];
if (chosen !== undefined) {
  programs[chosen]();
} else {
  for (const name of Object.keys(programs)) {
    const options = name === 'byOption' ? ['--trace-sigint'] : [];
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...options, __filename, name], { encoding: 'utf8' });
    // Where exactly the signal comes is not certain, but in which function.
    const [first, ...frames] = stderr.split('\n');
    const functions = ['afterwards', 'later', 'listener', 'inAtomicsWait', 'byOption'];
    console.log(name, status, signal, JSON.stringify(stdout), first,
      functions.filter((name) => frames.some((frame) => frame.startsWith('    at ') && frame.includes(`${name} (${__filename}`))),
      stderr === '' || frames.at(-1) === '');
  }
  console.log(Object.keys(util).at(-1), util.setTraceSigInt.name, util.setTraceSigInt.length);
  const worker = new Worker('require("util").setTraceSigInt(true)', { eval: true });
  worker.on('error', (error) => console.log(error.name, error.code, error.message));
}
