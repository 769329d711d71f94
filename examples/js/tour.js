// A walk through the programs of the guide, in JavaScript: each is a file beside this one, loaded when the one before
// has nothing left to wait for, which the loop reports by 'beforeExit'. Run it with `make run`, or `rondo tour.js`, or
// `node tour.js`.
const { basename } = require('node:path');

const scenes = [
  ['phases.js', 'One iteration of the loop: what runs in which phase.'],
  ['timeout_vs_immediate.js', 'A timer against an immediate, set by the main program: either order is right.'],
  ['immediate_inside_io.js', 'The same inside an I/O callback: the immediate is always first.'],
  ['file_against_timer.js', 'A timer of 100 ms, and a callback that works from 95 to 105.'],
  ['callback_too_early.js', 'A callback called at once finds a variable without its value;'],
  ['callback_by_tick.js', 'called by nextTick, it finds it.'],
  ['next_tick_arguments.js', 'An error in an argument is reported later as well. nextTick passes its arguments on.'],
  ['emitter_in_constructor.js', 'An event out of a constructor: lost, or by nextTick in time.'],
  ['listening.js', "listen() binds at once; 'listening' waits until its handler can be there."],
  ['refused_connection.js', 'What fails in the kernel is reported by an event.'],
  ['tick_starves_io.js', 'Ticks that queue ticks let nothing else run.'],
  ['request_context.js', 'AsyncLocalStorage: two requests mixed up on the loop, each with its own data.'],
  ['top_level_await.mjs', 'An ES module.'],
];

console.log(`The programs of the guide, in JavaScript, run by ${basename(process.execPath)}:`);

process.on('beforeExit', () => {
  console.groupEnd();
  // With nothing scheduled, the process ends.
  if (scenes.length > 0) setImmediate(show, ...scenes.shift());
});

function show(file, comment) {
  console.log(`\n${file}  ${comment}`);
  console.group();
  if (file.endsWith('.mjs')) import(`./${file}`);
  else require(`./${file}`);
}
