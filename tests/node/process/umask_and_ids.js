const old = process.umask(0o22);
console.log(process.umask().toString(8), typeof old, process.getuid() === process.geteuid(), process.getgid() === process.getegid(), Array.isArray(process.getgroups()));
for (const bad of ['9', 'x', {}]) {
  try {
    process.umask(bad);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
