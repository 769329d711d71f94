// What send(), disconnect() and fork() refuse.
const { fork, spawn, spawnSync } = require('node:child_process');
if (process.send === undefined) {
  const attempt = (fn) => {
    try {
      fn();
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  };
  attempt(() => fork());
  attempt(() => fork(__filename, 'x'));
  attempt(() => fork(__filename, [], 'x'));
  attempt(() => fork(__filename, { stdio: ['pipe'] }));
  attempt(() => fork(__filename, { stdio: 'nothing' }));
  attempt(() => fork(__filename, { serialization: 'xml' }));
  attempt(() => spawn(process.execPath, { stdio: ['ipc', 'ipc'] }));
  attempt(() => spawnSync(process.execPath, { stdio: ['ipc'] }));
  const child = fork(__filename);
  attempt(() => child.send());
  attempt(() => child.send(undefined));
  attempt(() => child.send(() => {}));
  attempt(() => child.send(Symbol('x')));
  attempt(() => child.send('x', {}));
  attempt(() => child.send('x', undefined, 5));
  child.on('error', (error) => console.log('error', error.code, error.message));
  child.on('exit', (code) => {
    console.log('exit', code);
    child.send('late');
    child.send('later', (error) => console.log('callback', error.code));
  });
  child.disconnect();
  child.disconnect();
} else {
  process.on('disconnect', () => {});
}
