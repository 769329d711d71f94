// rondo-test: option=--no-warnings
// --inspect-brk: the debugger that attaches sees the first line, statements `debugger`, and the end.
'use strict';
const path = require('path');
const { attach, start } = require('./fixtures/debugged');

const place = ({ reason, callFrames: [frame] }) => [reason, path.basename(frame.url), frame.location.lineNumber];

async function run(file) {
  const program = start('--inspect-brk=0', path.join(__dirname, 'fixtures', file));
  const session = await attach(await program.url);
  console.log(await session.post('Runtime.enable'));
  console.log(Object.keys(await session.post('Debugger.enable')));
  console.log(await session.post('NodeRuntime.enable'));
  console.log(await session.event('NodeRuntime.waitingForDebugger'));
  session.post('Runtime.runIfWaitingForDebugger');
  console.log(...place(await session.event('Debugger.paused')));
  session.post('Debugger.resume');
  if (file === 'program.js') {
    const paused = await session.event('Debugger.paused');
    console.log(...place(paused));
    const { callFrameId } = paused.callFrames[0];
    console.log(await session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'x += 41' }));
    session.post('Debugger.resume');
    console.log((await session.event('Runtime.consoleAPICalled')).args);
  }
  await program.said(/Waiting for the debugger to disconnect/);
  console.log(await session.post('Runtime.evaluate', { expression: '1 + 1' }));
  await session.close();
  console.log(await program.ended);
  console.log(program.out + program.errors());
}

(async () => {
  await run('program.js');
  await run('program.mjs');
})();
