// rondo-test: stdin="unread\n"
console.log(typeof process.stdin.fd, process.stdin.isTTY);
