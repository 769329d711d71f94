// rondo-test: option=--permission option=--allow-fs-read=* option=--allow-child-process option=--disable-warning=PERM0002
// A child process gets the permissions of its parent, unless NODE_OPTIONS or its arguments have some of their own.
const { spawnSync } = require('child_process');
const text = 'console.log(process.permission?.has("child"), process.permission?.has("fs.read"), process.env.NODE_OPTIONS)';
const run = (args, env) => {
  const { stdout, stderr } = spawnSync(process.execPath, [...args, '-e', text], { env: { ...process.env, ...env }, encoding: 'utf8' });
  console.log(stdout.trim(), stderr.replace(/node:\d+/, 'node:PID').split('\n')[0]);
};
run([]);
run([], { NODE_OPTIONS: '--title=--permission' });
run([], { NODE_OPTIONS: '--permission' });
run(['--permission']);
run(['--permission-audit']);
const { permission } = process;
for (const [granted, paths] of [['/tmp/*', ['/tmp', '/tmp/a', '/tmpx', '/']], ['/tmp/a*', ['/tmp', '/tmp/a', '/tmp/abc/d']],
  ['/etc', ['/etc', '/etc/passwd', '/etcx', '/']], ['/etc/passwd', ['/etc/passwd', '/etc/passwd2', '/etc']]]) {
  const { stdout } = spawnSync(process.execPath, ['--permission', `--allow-fs-read=${granted}`, '-p',
    `${JSON.stringify(paths)}.map((file) => process.permission.has('fs.read', file)).join()`], { encoding: 'utf8' });
  console.log(granted, paths.join(), stdout.trim());
}
const { status, stderr } = spawnSync(process.execPath, ['--allow-net', '-p', '1'], { env: {}, encoding: 'utf8' });
console.log(status, stderr.includes('ERR_MISSING_OPTION'), stderr.includes('--permission is required'));
