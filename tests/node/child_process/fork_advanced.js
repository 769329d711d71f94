// serialization: 'advanced'
const { fork } = require('node:child_process');
if (process.send === undefined) {
  const child = fork(__filename, { serialization: 'advanced' });
  child.on('message', (message) => console.log(message));
  child.send({
    map: new Map([[1, new Set([2])]]), date: new Date(0), bytes: new Uint8Array([1, 2]), buffer: Buffer.from('x'),
    big: 10n ** 20n, regexp: /x/g, error: new RangeError('e').message, undef: undefined, nan: NaN,
  });
  child.send('x'.repeat(300000));
  child.on('exit', (code) => console.log(code));
} else {
  process.on('message', (message) => {
    if (typeof message === 'string') {
      process.send(message.length);
      process.disconnect();
    } else {
      process.send(message);
    }
  });
}
