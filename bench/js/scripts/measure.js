'use strict';
// What all the scripts share: the clock, and the line that the runner reads.

/// Starts the clock; the function that it returns stops it and prints the nanoseconds of one
/// operation, first those that passed, then those of the processor.
exports.begin = function begin(operations) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  return function end() {
    const passed = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    console.log((passed * 1e6) / operations, ((user + system) * 1e3) / operations);
  };
};
