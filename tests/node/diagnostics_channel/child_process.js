// Channels that follow child processes.
const { ChildProcess, exec, fork, spawn } = require('child_process');
const dc = require('diagnostics_channel');

dc.subscribe('child_process', (message, name) => {
  console.log(name, Object.keys(message), message.process instanceof ChildProcess, message.process.pid);
});
dc.tracingChannel('child_process.spawn').subscribe({
  start: ({ process, options, ...rest }) => console.log('start', process.spawnfile !== null, typeof options.file, options.args.length, rest),
  end: (context) => console.log('end', Object.keys(context)),
  error: ({ process, error }) => console.log('error', process instanceof ChildProcess, error.message, error.code, error.syscall),
});

new ChildProcess();
spawn(process.execPath, ['-e', '0']).on('close', () => {
  exec('exit 3', () => {
    spawn('does-not-exist').on('error', (error) => {
      console.log(error.message);
      try {
        spawn('/', { cwd: '/', uid: 2 ** 31 - 1 }).on('error', (error) => console.log(error.code));
      } catch (error) {
        console.log('thrown', error.code);
      }
      process.argv.length = 2;
    });
  });
});
