// rondo-test: scratch
// What programs leave in the log: the events of each category, without their times.
const { spawnSync } = require('child_process');
const fs = require('fs');

function run(name, options, program, file = 'node_trace.1.log') {
  const { status, stderr } = spawnSync(process.execPath, [...options, '-e', program], { encoding: 'utf8' });
  console.log(`--- ${name}: ${status} ${stderr.replace(/\(node:\d+\)/g, '(node)')}`);
  if (file === null) return console.log(fs.existsSync('node_trace.1.log'));
  const { traceEvents } = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.unlinkSync(file);
  for (const event of traceEvents) {
    if (![event.pid, event.tid, event.ts, event.tts, event.dur, event.tdur].every(Number.isInteger)) console.log('bad', event);
  }
  return traceEvents;
}

function show(events, group, withArguments = true) {
  for (const { cat, name, ph, args } of events) {
    if (cat === group) console.log(ph, name, withArguments ? JSON.stringify(args) : '');
  }
  const others = new Set(events.map(({ cat }) => cat));
  others.delete(group);
  console.log([...others].join(' '));
}

show(run('console', ['--trace-event-categories', 'node.console'], `
  console.count('a'); console.count('a'); console.countReset('a'); console.countReset('b');
  console.time('t'); console.timeLog('t'); console.timeEnd('t'); console.timeEnd('t');
  console.timeLog('u'); console.time('v'); console.time('v');
`), 'node,node.console');
show(run('rejections', ['--trace-event-categories', 'node.promises.rejections', '--unhandled-rejections=none'], `
  const promise = Promise.reject(new Error('x'));
  setTimeout(() => promise.catch(() => {}), 1);
`), 'node,node.promises,node.promises.rejections');
show(run('vm', ['--trace-event-categories', 'node.vm.script'], 'require("vm").runInThisContext("1")')
  .filter(({ name }) => name === 'ContextifyScript::New').slice(0, 1), 'node,node.vm,node.vm.script', false);
show(run('custom', ['--trace-event-categories', 'mine'], '0'), 'mine');
show(run('pattern', ['--trace-event-categories', 'mine', '--trace-event-file-pattern', 'log-${rotation}-${rotation}'], '0',
  'log-1-1'), 'mine');
run('none', [], '0', null);
show(run('exit', ['--trace-event-categories', 'node.console'], 'console.count(); process.exit(3)'), 'node,node.console');
show(run('exception', ['--trace-event-categories', 'node.console', '--unhandled-rejections=none'],
  'console.count(); process.exitCode = 4'), 'node,node.console');
show(run('from JavaScript', [], `
  const tracing = require('trace_events').createTracing({ categories: ['node.console'] });
  console.count('before');
  tracing.enable();
  console.count('while');
  tracing.disable();
  console.count('after');
`), 'node,node.console');

const fileEvents = run('files', ['--trace-event-categories', 'node.fs.sync,node.fs.async'], `
  fs.writeFileSync('f', 'x'); fs.renameSync('f', 'g'); fs.statSync('g'); fs.lstatSync('g'); fs.readFileSync('g');
  fs.mkdirSync('d'); fs.rmdirSync('d'); fs.unlinkSync('g');
  try { fs.accessSync('missing'); } catch {}
  fs.mkdir('e', () => fs.rmdir('e', () => {}));
`);
for (const name of ['open', 'write', 'close', 'rename', 'stat', 'lstat', 'fstat', 'read', 'mkdir', 'rmdir', 'unlink', 'access']) {
  const phases = fileEvents.filter((event) => event.name === `fs.sync.${name}`).map(({ ph }) => ph);
  console.log(name, phases.includes('B') && phases.includes('E'));
}
for (const name of ['mkdir', 'rmdir']) {
  console.log(name, fileEvents.filter(({ name: found, ph }) => found === name && ph === 'e').map(({ cat }) => cat).join());
}

const taskEvents = run('tasks', ['--trace-event-categories', 'node.async_hooks'], `
  setTimeout(() => {}, 1); setImmediate(() => {}); process.nextTick(() => {});
`);
for (const type of ['Timeout', 'Immediate', 'TickObject']) {
  const ofType = taskEvents.filter(({ name }) => name.startsWith(type));
  console.log(new Set(ofType.map(({ cat }) => cat)).size, new Set(ofType.map(({ ph, name }) => `${ph} ${name}`)).has(`b ${type}`));
}

const startEvents = run('start', ['--trace-event-categories', 'node.bootstrap,node.environment'], 'setTimeout(() => {}, 1)');
console.log(['nodeStart', 'v8Start', 'environment', 'bootstrapComplete', 'loopStart', 'loopExit', 'Environment', 'RunTimers',
  'BeforeExit', 'RunCleanup', 'AtExit'].filter((name) => !startEvents.some((event) => event.name === name)));
const metadata = startEvents.filter(({ cat }) => cat === '__metadata');
console.log(metadata.find(({ name }) => name === 'version').args.node === process.versions.node);
console.log(metadata.find(({ name }) => name === 'node').args.process.platform);

const engineEvents = run('engine', ['--trace-event-categories', 'v8', '--expose-gc'], 'gc()');
console.log(engineEvents.some(({ cat, name }) => cat === 'v8' && name.startsWith('V8.')));

const httpEvents = run('http', ['--trace-event-categories', 'node.http'], `
  const http = require('http');
  const server = http.createServer((request, response) => { response.end('ok'); server.close(); });
  server.listen(0, () => http.get({ port: server.address().port, agent: false }, (response) => response.resume()));
`);
console.log(httpEvents.filter(({ cat }) => cat === 'node,node.http').map(({ ph, name }) => `${ph} ${name}`).sort());

const netEvents = run('net', ['--trace-event-categories', 'node.net.native'], `
  require('net').connect('./missing').on('error', () => {});
`);
console.log(netEvents.filter(({ name }) => name === 'connect').map(({ ph, args }) => `${ph} ${JSON.stringify(args)}`));
