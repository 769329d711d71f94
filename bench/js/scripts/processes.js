'use strict';
// Arguments: what to do, and how often. Child processes; run with 'echo' it is the child.
const { execFile, fork, spawn } = require('node:child_process');
const { begin } = require('./measure.js');

const works = {
  async spawn(n) {
    const end = begin(n);
    for (let i = 0; i < n; i++) {
      await new Promise((resolve) => spawn('/bin/true').on('close', resolve));
    }
    end();
  },
  async execFile(n) {
    const end = begin(n);
    for (let i = 0; i < n; i++) {
      await new Promise((resolve) => {
        execFile('head', ['-c', '1048576', '/dev/zero'], { maxBuffer: Infinity }, resolve);
      });
    }
    end();
  },
  send(n) {
    const child = fork(__filename, ['echo']);
    let count = 0;
    let end;
    child.on('message', () => {
      if (count === n / 10) end = begin(n);
      if (count++ < n * 1.1) {
        child.send({ count });
      } else {
        end();
        child.disconnect();
      }
    });
    child.send({ count });
  },
};

if (process.argv[2] === 'echo') process.on('message', (message) => process.send(message));
else works[process.argv[2]](Number(process.argv[3]));
