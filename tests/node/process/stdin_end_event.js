// rondo-test: stdin="a\nb\n"
process.stdin.on('readable', () => { let c; while ((c = process.stdin.read()) !== null) console.log('chunk', c.length); });
process.stdin.on('end', () => console.log('end'));
