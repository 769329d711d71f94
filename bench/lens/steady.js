'use strict';
// For page.js: makes 100,000 callbacks a second of one kind, and prints the share of a processor that took.

const kSeconds = 8;
const kPerMillisecond = 100;

const callback = () => {};
const make = {
  setTimeout: () => setTimeout(callback, 1),
  setImmediate: () => setImmediate(callback),
  nextTick: () => process.nextTick(callback),
  queueMicrotask: () => queueMicrotask(callback),
}[process.argv[2]];

const cpu = process.cpuUsage();
const started = performance.now();
let made = 0;
const timer = setInterval(() => {
  const passed = performance.now() - started;
  for (; made < passed * kPerMillisecond; made++) make();
  if (passed < kSeconds * 1000) return;
  clearInterval(timer);
  const { user, system } = process.cpuUsage(cpu);
  console.log((user + system) / (passed * 10));
}, 10);
