// One entry for each processor, and none for the line of /proc/stat that has their sum.
const fs = require('node:fs');
const os = require('node:os');

const processors = fs.readFileSync('/proc/stat', 'latin1').split('\n').filter((line) => /^cpu\d/.test(line));
const cpus = os.cpus();
console.log(cpus.length === processors.length, cpus.every(({ model }) => model === cpus[0].model));
