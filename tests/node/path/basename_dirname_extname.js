const path = require('path');
for (const p of ['/a/b.txt', 'file', '/a/b/', '.bashrc', 'a.b.c', '/', '', 'a/.', 'x.', '//a', 'a/..']) {
  console.log(JSON.stringify([p, path.basename(p), path.basename(p, '.txt'), path.dirname(p), path.extname(p), path.isAbsolute(p)]));
}
