// rondo-test: option=--no-warnings scratch
// The system calls of WASI, called as a program would: results, and what they write into memory.
const { WASI } = require('wasi');
const fs = require('fs');

fs.writeFileSync('f', 'hi\n');
fs.mkdirSync('d');
fs.writeFileSync('d/g', 'in');
fs.symlinkSync('f', 'l');
fs.symlinkSync('loop', 'loop');
fs.symlinkSync('/etc/passwd', 'absolute');
fs.symlinkSync('../../x', 'up');
fs.symlinkSync('/box/f', 'inside');
fs.symlinkSync('d', 'ld');

const wasi = new WASI({
  version: 'preview1', args: ['a', 'bc'], env: { A: 1, BB: 'x=y' }, preopens: { '/box': '.' },
});
const memory = new WebAssembly.Memory({ initial: 2 });
wasi.finalizeBindings({ exports: { memory } });
const calls = wasi.wasiImport;
const bytes = Buffer.from(memory.buffer);
const view = new DataView(memory.buffer);
const u32 = (at) => view.getUint32(at, true);
const u64 = (at) => view.getBigUint64(at, true);
const text = (string, at = 0) => [at, bytes.write(string, at)];
const show = (name, ...values) => console.log(name, ...values);

function open(path, { flags = 0, base = 0n, inheriting = 0n, fdFlags = 0, follow = 1 } = {}) {
  const error = calls.path_open(3, follow, ...text(path), flags, base, inheriting, fdFlags, 1000);
  return error === 0 ? u32(1000) : -error;
}
function tryOpen(path, options) {
  const fd = open(path, options);
  return fd < 0 ? fd : calls.fd_close(fd);
}

for (const path of ['f', 'l', 'absolute', 'up', 'loop', 'inside', 'ld', 'ld/g', 'd/../f', 'f/', 'd/', 'd/.', './d//g',
  'x/../f', 'd/../..', 'ld/..', 'ld/../..', '..', '../f', '/etc/passwd', '.', '']) {
  show(`open '${path}'`, tryOpen(path));
}
for (const path of ['f', 'd', 'new', 'l', 'missing/x']) {
  for (const flags of [0, 1, 2, 4, 8, 5, 9]) {
    show(`open ${path} with ${flags}`, tryOpen(path, { flags }));
    fs.rmSync('new', { force: true });
  }
}
fs.writeFileSync('f', 'hi\n');

for (const [base, inheriting] of [[2n, 0n], [64n, 0n], [66n, 0n], [1n << 28n, 0n], [0n, 1n << 29n], [~0n, ~0n]]) {
  for (const path of ['f', 'd']) {
    const fd = open(path, { base, inheriting });
    if (fd < 0) {
      show(`rights ${base} ${inheriting} of ${path}`, fd);
      continue;
    }
    calls.fd_fdstat_get(fd, 2000);
    show(`rights ${base} ${inheriting} of ${path}`, bytes[2000], u64(2008), u64(2016));
    calls.fd_close(fd);
  }
}

const all = 0xe001ffn;
const f = open('f', { base: all });
const seek = (...args) => [calls.fd_seek(f, ...args, 3000), u64(3000)];
show('seek', seek(1n, 0), seek(0n, 2), seek(-1n, 1), seek(0n, 3)[0], seek(-5n, 0)[0], calls.fd_seek(3, 0n, 0, 3000));
show('tell', calls.fd_tell(f, 3000), u64(3000));
const buffers = (...list) => list.flat().forEach((number, i) => view.setUint32(3100 + 4 * i, number, true));
buffers([3200, 2], [3300, 10]);
show('pread', calls.fd_pread(f, 3100, 2, 0n, 3000), u32(3000), bytes.toString('latin1', 3200, 3202), bytes[3300]);
show('pread at the end', calls.fd_pread(f, 3100, 2, 100n, 3000), u32(3000));
show('no buffers', calls.fd_read(f, 3100, 0, 3000), u32(3000));
buffers([3200, 1e6]);
show('buffer outside', calls.fd_read(f, 3100, 1, 3000), calls.fd_read(f, 2 ** 17 - 4, 1, 3000));
buffers([3200, 2]);
text('YO', 3200);
show('read a directory', calls.fd_read(3, 3100, 1, 3000));
show('pwrite', calls.fd_pwrite(f, 3100, 1, 1n, 3000), u32(3000), fs.readFileSync('f', 'utf8'));
show('write', calls.fd_write(f, 3100, 1, 3000), u32(3000), fs.readFileSync('f', 'utf8'));
show('advise', [0, 1, 2, 3, 4, 5, 6].map((advice) => calls.fd_advise(f, 0n, 0n, advice)), calls.fd_advise(3, 0n, 0n, 0));
show('allocate', calls.fd_allocate(f, 0n, 10n), fs.statSync('f').size, calls.fd_allocate(f, 0n, 0n));
show('set size', calls.fd_filestat_set_size(f, 2n), fs.statSync('f').size);
show('set times', calls.fd_filestat_set_times(f, 1000000000n, 2000000000n, 5), fs.statSync('f').mtimeMs);
show('flags of times', [3, 12, 16, 0].map((flags) => calls.fd_filestat_set_times(f, 0n, 0n, flags)));
show('path times', calls.path_filestat_set_times(3, 1, ...text('f'), 0n, 3000000000n, 4), fs.statSync('f').mtimeMs);
for (const path of ['f', 'l', 'nothing', 'd', '../x']) {
  for (const follow of [0, 1]) {
    show(`stat ${path} ${follow}`, calls.path_filestat_get(3, follow, ...text(path), 4000), bytes[4016]);
  }
}
show('fstat', calls.fd_filestat_get(f, 4000), bytes[4016], u64(4024), u64(4032), u64(4048));
show('sync', calls.fd_sync(f), calls.fd_datasync(f), calls.fd_sync(99));
show('rights', calls.fd_fdstat_set_rights(f, 1n << 9n, 0n), calls.fd_fdstat_set_rights(f, 6n, 0n),
  calls.fd_write(f, 3100, 1, 3000));

const onPath = (call, ...paths) => paths.map((path) => calls[call](3, ...text(path)));
show('mkdir', onPath('path_create_directory', 'm', 'm', 'm/', 'm2/', '../m', '.', 'missing/m'));
show('rmdir', onPath('path_remove_directory', 'm', 'm2/', 'd', 'f', 'missing'));
show('unlink', onPath('path_unlink_file', 'd', 'missing', '../x'));
for (const path of ['l', 'f', 'up', 'nothing']) {
  for (const size of [0, 1, 2, 100]) {
    const error = calls.path_readlink(3, ...text(path), 5000, size, 6000);
    show(`readlink ${path} ${size}`, error, error === 0 ? bytes.toString('latin1', 5000, 5000 + u32(6000)) : '');
  }
}
const two = (call, pairs) => pairs.map(([from, to, ...lookup]) =>
  calls[call](3, ...lookup, ...text(from, 100), 3, ...text(to)));
show('symlink', [['x', 's1'], ['/etc/passwd', 's2'], ['../../..', 's3'], ['x', 's1'], ['', 's5']]
  .map(([target, path]) => calls.path_symlink(...text(target, 100), 3, ...text(path))));
show('link', [['f', 'h1', 0], ['l', 'h2', 1], ['l', 'h3', 0], ['nothing', 'h4', 0], ['d', 'h5', 0], ['f', '../h6', 0]]
  .map(([from, to, lookup]) => calls.path_link(3, lookup, ...text(from, 100), 3, ...text(to))));
show('rename', two('path_rename', [['f', 'r'], ['r', 'f'], ['nothing', 'x'], ['d', 'f'], ['f', '../x']]));
show('left', fs.readdirSync('.').map((name) => `${name} ${fs.lstatSync(name).isSymbolicLink()}`));

function list(size) {
  const names = [];
  let cookie = 0n;
  for (;;) {
    if (calls.fd_readdir(3, 8000, size, cookie, 6000) !== 0) return 'error';
    const used = u32(6000);
    for (let at = 8000; at + 24 <= 8000 + used;) {
      const end = at + 24 + u32(at + 16);
      if (end > 8000 + used) break;
      names.push(`${bytes.toString('latin1', at + 24, end)} ${bytes[at + 20]}`);
      cookie = u64(at);
      at = end;
    }
    if (used < size) return names.sort().join();
  }
}
show('readdir', list(4000));
show('readdir in parts', list(80) === list(4000));
show('readdir of a file', calls.fd_readdir(f, 8000, 30, 0n, 6000));
show('prestat', calls.fd_prestat_get(3, 6000), bytes[6000], u32(6004), calls.fd_prestat_get(0, 6000), calls.fd_prestat_get(99, 6000));
show('prestat name', calls.fd_prestat_dir_name(3, 6000, 3), calls.fd_prestat_dir_name(3, 6000, 4), bytes.toString('latin1', 6000, 6004));
show('args', calls.args_sizes_get(6000, 6004), u32(6000), u32(6004), calls.args_get(6100, 6200), u32(6100) - 6200,
  u32(6104) - 6200, JSON.stringify(bytes.toString('latin1', 6200, 6205)));
show('environ', calls.environ_sizes_get(6000, 6004), u32(6000), u32(6004), calls.environ_get(6100, 6200),
  JSON.stringify(bytes.toString('latin1', 6200, 6211)));
show('clocks', [0, 1, 2, 3, 4].map((clock) => [calls.clock_res_get(clock, 6000), calls.clock_time_get(clock, 0n, 6000)]));
const before = BigInt(Date.now()) * 1000000n;
calls.clock_time_get(0, 0n, 6000);
show('real time', u64(6000) >= before && u64(6000) < before + 10000000000n);
show('random', calls.random_get(0, 2 ** 17), calls.random_get(1, 2 ** 17), new Set(bytes).size);
show('memory', calls.args_get(2 ** 17, 0), calls.args_get(2 ** 17 - 2, 0), calls.args_sizes_get(2 ** 17 - 4, 0),
  calls.clock_time_get(0, 0n, 2 ** 17 - 7));
show('sched_yield', calls.sched_yield(), 'proc_raise', calls.proc_raise(0));

function subscribe(at, userdata, type, ...rest) {
  bytes.fill(0, at, at + 48);
  view.setBigUint64(at, userdata, true);
  view.setUint8(at + 8, type);
  view.setUint32(at + 16, rest[0], true);
  if (type === 0) view.setBigUint64(at + 24, rest[1], true);
}
subscribe(10000, 7n, 0, 1, 2000000n);
subscribe(10048, 8n, 0, 1, 60000000000n);
const start = process.hrtime.bigint();
show('poll', calls.poll_oneoff(10000, 11000, 2, 6000), u32(6000), u64(11000), bytes[11008], bytes[11010]);
show('waited', process.hrtime.bigint() - start >= 1000000n);
show('poll nothing', calls.poll_oneoff(10000, 11000, 0, 6000));
subscribe(10000, 7n, 9, 0);
show('poll what', calls.poll_oneoff(10000, 11000, 1, 6000));
show('close', calls.fd_close(f), calls.fd_close(f), calls.fd_close(3), calls.fd_close(99));
