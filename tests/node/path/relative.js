const { relative } = require('path').posix;
for (const [from, to] of [['/a/b/c', '/a/d'], ['/a', '/a'], ['/a/b', '/a/b/c/d'], ['/', '/x'], ['/foo/bar', '/foo/ba'], ['/a/b/', '/a/b']]) console.log(JSON.stringify(relative(from, to)));
