console.log(process.stdout.fd, process.stderr.fd, process.stdout.isTTY, process.stdout.writable);
process.stdout.write('no newline, ');
console.log(process.stdout.write('returns '), process.stdout.write(''));
process.stdout.write('with callback\n', () => console.log('written'));
