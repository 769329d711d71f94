// argv, execArgv, process.argv and require.main of a Worker; wrong arguments.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const path = require('node:path');
if (isMainThread) {
  (async () => {
    for (const options of [{}, { argv: ['a', 1, null] }, { execArgv: ['--no-warnings'] }]) {
      const worker = new Worker(__filename, options);
      console.log(await new Promise((resolve) => worker.on('message', resolve)));
    }
    const evaluated = new Worker('require("worker_threads").parentPort.postMessage([process.argv.slice(1), process._eval.length])',
      { eval: true, argv: ['x'] });
    console.log(await new Promise((resolve) => evaluated.on('message', resolve)));
  })();
  const tries = [
    () => new Worker(), () => new Worker(5), () => new Worker('name'), () => new Worker('file:///x.js'),
    () => new Worker('x', { argv: 5 }), () => new Worker('./x', { execArgv: 'x' }),
    () => new Worker(new URL('https://x.y/')), () => new Worker(new URL('data:,x'), { eval: true }),
    () => new Worker('', { eval: true, name: 5 }), () => new Worker('', { eval: true, workerData: () => {} }),
    () => Worker('x'), () => new Worker('', { eval: true, execArgv: ['--no-such-option', '--expose-gc'] }),
  ];
  for (const attempt of tries) {
    try {
      attempt();
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
} else {
  parentPort.postMessage([path.basename(process.argv[1]), process.argv.slice(2), process.execArgv, require.main === module]);
}
