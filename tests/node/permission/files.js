// rondo-test: option=--permission
// Files without a permission: how each function says so, at once, to a callback and as a promise.
const fs = require('fs');
const none = '/none/file';
const show = (way, name, error, isNow) =>
  console.log(way, name, error?.name, error?.code, error?.permission, error?.resource, isNow ? 'now' : 'later');
const calls = {
  access: [none], appendFile: [none, 'x'], chmod: [none, 0o600], chown: [none, 1, 1], copyFile: [none, '/none/2'],
  lchown: [none, 1, 1], link: [none, '/none/2'], lstat: [none], lutimes: [none, 1, 1], mkdir: [none],
  mkdtemp: [none], open: [none, 'r+'], opendir: [none], readFile: [none], readdir: [none], readlink: [none],
  realpath: [none], rename: [none, '/none/2'], rm: [none], rmdir: [none], stat: [none], statfs: [none],
  symlink: [none, '/none/2'], truncate: [none], unlink: [none], utimes: [none, 1, 1], writeFile: [none, 'x'],
};
const later = [];
for (const [name, args] of Object.entries(calls)) {
  try {
    fs[`${name}Sync`](...args);
    console.log('sync', name, 'worked');
  } catch (error) {
    show('sync', name, error, true);
  }
  let isNow = true;
  try {
    fs[name](...args, (error) => {
      if (isNow) show('callback', name, error, true);
      else later.push(['callback', name, error]);
    });
  } catch (error) {
    show('thrown', name, error, true);
  }
  isNow = false;
  fs.promises[name](...args).catch((error) => later.push(['promise', name, error]));
}
console.log(fs.existsSync.length, (() => { try { return fs.existsSync(none); } catch (error) { return error.code; } })());
for (const name of ['fchmod', 'fchown', 'fsync', 'fdatasync', 'futimes']) {
  try {
    fs[`${name}Sync`](1, 1, 1);
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}
fs.createReadStream(none).on('error', (error) => later.push(['stream', 'read', error]));
fs.createWriteStream(none).on('error', (error) => later.push(['stream', 'write', error]));
for (const watch of [() => fs.watch(none), () => fs.watchFile(none, () => {}), () => fs.openAsBlob(none)]) {
  try {
    watch();
  } catch (error) {
    show('thrown', watch.toString(), error, true);
  }
}
process.nextTick(() => console.log('tick'));
setTimeout(() => {
  later.sort(([way, name], [way2, name2]) => (way + name < way2 + name2 ? -1 : 1));
  for (const [way, name, error] of later) show(way, name, error);
}, 50);
