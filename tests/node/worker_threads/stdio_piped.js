// Standard streams of a Worker that its parent reads and writes.
const { Worker } = require('node:worker_threads');
const worker = new Worker(`
  process.stdin.setEncoding('utf8');
  let text = '';
  process.stdin.on('data', (chunk) => { text += chunk; });
  process.stdin.on('end', () => {
    console.log('upper', text.toUpperCase());
    console.error('length', text.length);
    process.stdout.write('no newline');
  });
`, { eval: true, stdin: true, stdout: true, stderr: true });
let out = '';
let err = '';
worker.stdout.setEncoding('utf8').on('data', (chunk) => { out += chunk; });
worker.stderr.setEncoding('utf8').on('data', (chunk) => { err += chunk; });
worker.stdin.write('hello ');
worker.stdin.end('world');
worker.on('exit', (code) => {
  setImmediate(() => console.log({ code, out, err, ended: worker.stdout.readableEnded }));
});
