// The bytes of a channel, in pieces, and wrong ones: what the child makes of them.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { serialize } = require('node:v8');

const frame = (payload) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]);
};
const line = (value) => Buffer.from(`${JSON.stringify(value)}\n`);

const kCases = [
  ['json', line('\u00fc\u{1f600}'), 1],
  ['json', Buffer.concat([line('x'.repeat(100_000)), line([1]), line(null)]), 65_536],
  ['json', Buffer.from('{"a":1'), 3],
  ['json', Buffer.from('{\n'), 3],
  ['json', Buffer.from('\n'), 3],
  ['json', line({ cmd: 'NODE_OTHER' }), 100],
  ['advanced', frame(serialize({ a: 'text' })), 1],
  ['advanced', Buffer.concat([frame(serialize('x'.repeat(100_000))), frame(serialize([1n])), frame(serialize(null))]), 65_536],
  ['advanced', frame(serialize('text')).subarray(0, 6), 3],
  ['advanced', frame(Buffer.alloc(0)), 100],
  ['advanced', frame(Buffer.from([1, 2, 3])), 100],
  ['advanced', frame(Buffer.from([0xff, 0x0f])), 100],
  ['advanced', frame(Buffer.from([0xff, 0x0f, 0x5c, 0x09])), 100],
];

async function main() {
  for (const [serialization, bytes, size] of kCases) {
    const child = spawn(process.execPath, [__filename, 'child'], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: serialization },
    });
    const output = [];
    child.stdout.on('data', (data) => output.push(data));
    const errors = [];
    child.stderr.on('data', (data) => errors.push(data));
    child.stdio[3].on('error', () => {});
    for (let at = 0; at < bytes.length; at += size) {
      child.stdio[3].write(bytes.subarray(at, at + size));
      await new Promise(setImmediate);
    }
    child.stdio[3].end();
    const [code, signal] = await once(child, 'close');
    console.log(serialization, code, signal, output.join(''), errors.join('').match(/^\w*Error: .*/m)?.[0], errors.join('').match(/^ {2}code: .*/m)?.[0]);
  }
}

if (process.argv[2] === 'child') {
  process.on('message', (message) => console.log(typeof message === 'string' ? `${message.slice(0, 10)} ${message.length}` : message));
  process.on('disconnect', () => console.log('disconnect'));
} else {
  main();
}
