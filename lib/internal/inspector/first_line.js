'use strict';
// --inspect-brk: the debugger pauses the program in its first line.

// `isWanted`: until the program has begun.
const firstLine = { isWanted: false };

// An option of vm.Script's runInThisContext(): it is the program.
const kIsProgram = Symbol('is the program');

// Calls what runs the program, or makes V8 call a module's function.
function callPaused(run, receiver, args) {
  firstLine.isWanted = false;
  return binding('inspector').callAndPauseOnStart(run, receiver, ...args);
}

module.exports = { callPaused, firstLine, kIsProgram };
