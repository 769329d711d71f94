// A pipe that was a child's input is read on by its owner when that child has ended.
const { spawn } = require('node:child_process');
const writer = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
const reader = spawn('head', ['-n1'], { stdio: [writer.stdout, 'pipe', 'inherit'] });
writer.stdin.write('first\n');
reader.stdout.setEncoding('utf8').on('data', (text) => console.log('reader', JSON.stringify(text)));
reader.on('exit', () => {
  writer.stdin.end('second\n');
  writer.stdout.setEncoding('utf8').on('data', (text) => console.log('owner', JSON.stringify(text)));
  writer.stdout.resume();
});
writer.on('close', () => console.log('close'));
