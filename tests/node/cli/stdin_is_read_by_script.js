// rondo-test: stdin="line 1\nline 2\n"
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (part) => { text += part; });
process.stdin.on('end', () => console.log(JSON.stringify(text)));
