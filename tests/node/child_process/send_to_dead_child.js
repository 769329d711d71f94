'use strict';
// child.send() to a process that has ended, before its end was noticed: a message fails, one with a handle fails in silence.
const { fork, spawnSync } = require('node:child_process');
const net = require('node:net');

if (process.argv[2] === 'child') {
  process.send('ready');
  process.once('message', () => process.exit());
} else {
  const server = net.createServer().listen(0, '127.0.0.1', async () => {
    for (const [label, handle, withCallback] of [['plain', undefined, true], ['plain', undefined, false], ['handle', server, true], ['handle', server, false]]) {
      const lines = [];
      await new Promise((resolve) => {
        const child = fork(__filename, ['child']);
        child.on('error', (error) => lines.push(['error', error.code, error.syscall].join(' ')));
        child.on('message', () => {
          child.send('exit');
          // Nothing of the loop runs until it has ended.
          spawnSync(process.execPath, ['-e', `
            const fs = require('fs');
            const task = '/proc/${child.pid}/task';
            const isDead = () => fs.readdirSync(task).length === 1 && fs.readFileSync(task + '/${child.pid}/stat', 'latin1').includes(') Z');
            (function look() { if (!isDead()) setTimeout(look, 5); })();`]);
          const callback = (error) => lines.push(['callback', error?.code ?? error].join(' '));
          child.send({ label }, handle, withCallback ? callback : undefined);
          lines.push(`sent ${child.connected}`);
        });
        child.on('close', (code) => {
          lines.push(`close ${code} ${child.connected}`);
          setTimeout(resolve, 10);
        });
      });
      console.log(label, withCallback, lines.sort().join(', '));
    }
    server.close();
  });
}
