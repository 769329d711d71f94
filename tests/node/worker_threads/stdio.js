// The standard streams of a Worker.
const { Worker } = require('node:worker_threads');
(async () => {
  const captured = new Worker(`
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (text) => process.stdout.write(text.toUpperCase()));
    process.stdin.on('end', () => { console.log('end'); console.error('to stderr') });
  `, { eval: true, stdin: true, stdout: true, stderr: true });
  captured.stdin.write('one ');
  captured.stdin.end('two\n');
  let out = '';
  let err = '';
  captured.stdout.on('data', (data) => { out += data; });
  captured.stderr.on('data', (data) => { err += data; });
  await new Promise((resolve) => captured.on('exit', resolve));
  await new Promise(setImmediate);
  console.log({ out, err });

  const plain = new Worker(`
    console.log('to the output of the parent');
    console.log([process.stdin.fd, process.stdout.fd, process.stdout.isTTY, process.stdout.columns]);
    console.log(process.stdout.constructor.name, process.stdin.constructor.name);
    process.stdin.on('end', () => console.log('no input')).resume();
    process.on('exit', () => console.log('in exit'));
  `, { eval: true });
  console.log(plain.stdin);
  await new Promise((resolve) => plain.on('exit', resolve));
})();
