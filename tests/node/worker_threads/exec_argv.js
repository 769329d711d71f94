// process.execArgv of a Worker: the options, without what follows them; execve() and aborting are the main thread's.
// rondo-test: option=--abort-on-uncaught-exception option=--no-warnings
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

async function main() {
  for (const execArgv of [['--pending-deprecation', '--'], ['--pending-deprecation', '--', 'a'], ['a', '--pending-deprecation'],
    ['--', '--pending-deprecation'], ['-r', 'fs', 'a'], []]) {
    const worker = new Worker('require("worker_threads").parentPort.postMessage([process.execArgv, process.argv.slice(1)])', { eval: true, execArgv });
    console.log(execArgv, ...await once(worker, 'message'));
  }
  const [error] = await once(new Worker('process.execve("/bin/true", [])', { eval: true }), 'error');
  console.log(error.code, error.message);
  const thrown = new Worker('throw new Error("not the end of the process")', { eval: true });
  thrown.on('error', ({ message }) => console.log(message));
  console.log(await once(thrown, 'exit'));
}

main();
