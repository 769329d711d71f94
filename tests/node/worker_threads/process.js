// `process` in a Worker.
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) {
  new Worker(__filename, { stdout: false });
} else {
  for (const name of ['abort', 'chdir', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid', 'umask']) {
    try {
      process[name](0);
      console.log(name, 'works');
    } catch (error) {
      console.log(name, process[name].disabled, error.name, error.code, error.message);
    }
  }
  console.log(typeof process.umask(), process.cwd() === __dirname);
  console.log(['_startProfilerIdleNotifier', '_stopProfilerIdleNotifier', '_debugProcess', '_debugEnd']
    .map((name) => name in process));
  process.on('SIGINT', () => {});
  console.log(process.listenerCount('SIGINT'));
  console.log(typeof process.pid, process.connected, process.send);
}
