// A child that is killed while its parent sends: every send has its callback, and the events come in order.
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout } = require('node:timers/promises');

async function main() {
  for (const serialization of ['json', 'advanced']) {
    for (const size of [10, 1e6]) {
      const child = fork(__filename, ['child'], { serialization });
      await once(child, 'message');
      const events = [];
      const note = (event) => { if (events.at(-1) !== event) events.push(event); };
      for (const event of ['disconnect', 'exit', 'close', 'error']) child.on(event, () => note(event));
      let count = 0;
      for (let i = 0; i < 30; i++) {
        child.send('x'.repeat(size), (error) => {
          count++;
          if (error) note(error.code);
        });
      }
      child.kill('SIGKILL');
      await once(child, 'close');
      await setTimeout(10);
      console.log(serialization, size, count, events.join(' '), child.connected);
      child.send('late', (error) => console.log(error.code));
      await setTimeout(10);
    }
  }
}

if (process.argv[2] === 'child') {
  process.on('message', () => {});
  process.send('ready');
} else {
  main();
}
