// rondo-test: option=--no-warnings
// A debugger that pauses on exceptions that nothing catches does so in callbacks of the loop, and leaves the others alone.
'use strict';
const path = require('path');
const { attach, start } = require('./fixtures/debugged');

async function run(state) {
  const program = start('--inspect-wait=0', path.join(__dirname, 'fixtures', 'throws.js'));
  const session = await attach(await program.url);
  await session.post('Runtime.enable');
  await session.post('Debugger.enable');
  await session.post('Debugger.setPauseOnExceptions', { state });
  session.post('Runtime.runIfWaitingForDebugger');
  for (let i = 0; i < (state === 'all' ? 2 : 1); ++i) {
    const { reason, data, callFrames: [{ functionName }] } = await session.event('Debugger.paused');
    console.log(state, reason, data.description.split('\n')[0], data.uncaught, functionName);
    session.post('Debugger.resume');
  }
  await program.said(/Waiting for the debugger to disconnect/);
  await session.close();
  console.log(await program.ended, program.out);
}

(async () => {
  for (const state of ['uncaught', 'caught', 'all']) await run(state);
})();
