// maxBuffer, timeout and signals of exec and execFile.
const { exec, execFile } = require('node:child_process');
const show = (name) => (error, stdout, stderr) => {
  console.log(name, error && { code: error.code, killed: error.killed, signal: error.signal, message: error.message.split('\n')[0] },
    stdout.length, stderr.length);
};
(async () => {
  const runs = [
    ['limit', (done) => execFile('head', ['-c', '5000', '/dev/zero'], { maxBuffer: 1000 }, done)],
    ['no limit', (done) => execFile('head', ['-c', '5000', '/dev/zero'], { maxBuffer: Infinity }, done)],
    ['timeout', (done) => execFile('sleep', ['10'], { timeout: 50 }, done)],
    ['kill signal', (done) => execFile('sleep', ['10'], { timeout: 50, killSignal: 'SIGKILL' }, done)],
    ['status', (done) => exec('echo out; echo err >&2; exit 3', done)],
    ['signal', (done) => exec('kill -9 $$', done)],
    ['missing', (done) => execFile('/does/not/exist', done)],
    ['abort', (done) => execFile('sleep', ['10'], { signal: AbortSignal.abort() }, done)],
    ['encoding', (done) => execFile('printf', ['\\377'], { encoding: 'latin1' }, done)],
  ];
  for (const [name, run] of runs) {
    await new Promise((resolve) => run((...result) => {
      show(name)(...result);
      resolve();
    }));
  }
})();
