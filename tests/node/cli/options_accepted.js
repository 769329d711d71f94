// Which options there are, which of them NODE_OPTIONS may have, and what is said of the others.
const { spawnSync } = require('child_process');
const run = (args, env = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args,
    { env: { ...process.env, ...env }, encoding: 'utf8' });
  console.log(args.join(' '), env.NODE_OPTIONS ?? '', status, stdout.trim(),
    stderr.split('\n')[0].replace(process.execPath, 'node').replace(/node:\d+/, 'node:PID'));
};
const inOne = ['--no-warnings=1', '--v8-pool-size=2', '--experimental-worker', '--track-heap-objects', '--trace-exit',
  '--no-global-search-paths', '--max-old-space-size-percentage=50', '--zero-fill-buffers', '--node-memory-debug'];
run([...inOne, '-p', 'module.constructor.globalPaths.length']);
run(['--no-max-http-header-size', '-p', '1']);
run(['--no-such-option', '-p', '1']);
run(['--such-option', '-p', '1']);
run(['--test-isolation=x', '--test']);
run(['--test', '--check', __filename]);
run(['--use-largepages=x', '-p', '1']);
run(['--max-old-space-size-percentage=101', '-p', '1']);
run(['--disable-proto=keep', '-p', '1']);
run(['--disable-proto=delete', '-p', '({}).__proto__']);
run(['--disable-proto=throw', '-p', 'try { ({}).__proto__ } catch (error) { error.code }']);
run(['--no-addons', '-p', 'try { process.dlopen({}, "x") } catch (error) { error.code }']);
run(['--dns-result-order=ipv6first', '-p', 'require("dns").getDefaultResultOrder()']);
run(['--no-network-family-autoselection', '-p', 'require("net").getDefaultAutoSelectFamily()']);
run(['-p', 'require("net").getDefaultAutoSelectFamilyAttemptTimeout()']);
run(['--network-family-autoselection-attempt-timeout=99', '-p', 'net.getDefaultAutoSelectFamilyAttemptTimeout()']);
for (const NODE_OPTIONS of ['--prof', '--eval 1', '--expose-gc', '--title=a=b', '--', '--such-option=1', '-i']) {
  run(['-p', 'typeof gc'], { NODE_OPTIONS });
}
const flags = process.allowedNodeEnvironmentFlags;
console.log(['--expose-gc', '--no-addons', '--prof', '--eval', 'stack_trace_limit', '-r', '--no-trace-exit', '--loader']
  .map((name) => flags.has(name)));
