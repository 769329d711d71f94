// process.title, argv and execArgv in a Worker.
const { Worker } = require('node:worker_threads');
const before = process.title;
const worker = new Worker(`
  process.title = 'of the worker';
  console.log(process.title, process.argv.slice(2), process.execArgv, process.pid === ${process.pid});
`, { eval: true, argv: ['a', 5], execArgv: ['--no-warnings'] });
worker.on('exit', () => console.log(process.title === before));
for (const NODE_OPTIONS of ['--nonexistent-option', '--redirect-warnings']) {
  try {
    new Worker('', { eval: true, env: { NODE_OPTIONS } });
  } catch (error) {
    console.log(error.code, error.message);
  }
}
