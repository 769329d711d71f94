// A child of -e does not run the text again.
const { spawnSync } = require('child_process');
const code = 'require("child_process").fork(process.argv[1] ?? ' + JSON.stringify(require.resolve('./fixtures/forked.js')) + ', ["x"])';
for (const args of [['-e', code], ['--no-warnings', '-e', code, '--', require.resolve('./fixtures/forked.js')]]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20000 });
  console.log(status, stdout, stderr);
}
