const path = require('path');
for (const f of [() => path.join(1), () => path.resolve(null), () => path.basename({}), () => path.extname(), () => path.relative('a'), () => path.format('x'), () => path.isAbsolute(true)]) {
  try {
    f();
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
console.log(path === path.posix, path.posix.win32 === path.win32, require('path/posix') === path.posix, path.toNamespacedPath('/a'), path.sep, path.delimiter);
