// rondo-test: option=--no-warnings
// A program that never comes back to its loop: SIGUSR1 lets a debugger attach, which sees the scripts that were compiled
// before, evaluates, pauses, and sets it free. The second one only waits for the loop.
'use strict';
const { attach, start } = require('./fixtures/debugged');

async function interrupt(name, source, setsFree) {
  const program = start('--inspect-port=0', '-e', `process._rawDebug('ready'); ${source}`);
  await program.said(/ready/);
  program.child.kill('SIGUSR1');
  const session = await attach(await program.url);
  console.log(name, await session.post('Runtime.evaluate', { expression: 'answer' }));
  await session.post('Debugger.enable');
  const scripts = [];
  scripts.push((await session.event('Debugger.scriptParsed')).url !== '');
  console.log(scripts);
  console.log(await session.post('Runtime.evaluate', { expression: setsFree }));
  await program.said(/Waiting for the debugger to disconnect/);
  await session.close();
  console.log(await program.ended, program.out, program.errors());
}

(async () => {
  await interrupt('busy', 'globalThis.answer = 42; while (globalThis.answer === 42);', 'answer = 0');
  await interrupt('idle', 'globalThis.answer = 43; const i = setInterval(() => answer || clearInterval(i), 10);', 'answer = 0');
  const deaf = start('--disable-sigusr1', '-e', 'process._rawDebug("ready"); setInterval(() => {}, 1000)');
  await deaf.said(/ready/);
  deaf.child.kill('SIGUSR1');
  deaf.child.kill('SIGTERM');
  console.log(await deaf.ended, deaf.err);
})();
