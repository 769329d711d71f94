// rondo-test: scratch
// run() of files in processes of their own, with a reporter of node:test/reporters.
const fs = require('fs');
const path = require('path');
const { run } = require('node:test');
const { tap } = require('node:test/reporters');
fs.writeFileSync('one.js', "const t = require('node:test'); t.test('in one', () => { console.log('printed'); });");
fs.writeFileSync('two.js', "require('node:test').test('in two', () => { throw new RangeError('no'); });");
let text = '';
const stream = run({ files: [path.resolve('one.js'), path.resolve('two.js')], concurrency: 1 });
stream.on('test:fail', ({ name, details }) =>
  console.log('fail', name, details.error.failureType, details.error.cause.name, details.error.cause.message));
stream.on('test:summary', ({ success, counts }) => console.log(success, { ...counts }));
stream.compose(tap).on('data', (chunk) => { text += chunk; }).on('end', () => {
  console.log(text.replace(/duration_ms:? [\d.]+/g, 'duration_ms *').replace(/ {2}stack: \|-\n(?: {4,}.*\n)+/g, '').replace(/location: .*/g, 'location'));
});
