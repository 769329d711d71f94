// What keeps a child running: a listener for messages, or channel.ref().
const { fork } = require('node:child_process');
const kinds = {
  nothing: () => {},
  once: () => process.once('message', () => {}),
  removed: () => { const fn = () => {}; process.on('message', fn); process.removeListener('message', fn); },
  unref: () => { process.on('message', () => {}); process.channel.unref(); },
  ref: () => { process.channel.ref(); process.once('disconnect', () => process.exit(3)); },
};
if (process.send === undefined) {
  (async () => {
    for (const kind of Object.keys(kinds)) {
      const child = fork(__filename, [kind]);
      if (kind === 'once') child.send('x');
      if (kind === 'ref') child.on('message', () => child.disconnect());
      console.log(kind, await new Promise((resolve) => child.on('exit', resolve)));
    }
  })();
} else {
  kinds[process.argv[2]]();
  if (process.argv[2] === 'ref') process.send('ready');
}
