'use strict';
// Packages compare a stream's write() with its class's to find out whether it was replaced.
for (const name of ['stdout', 'stderr']) {
  const stream = process[name];
  console.log(name, Object.hasOwn(stream, 'write'), stream.write === stream.constructor.prototype.write);
  console.log(Object.getPrototypeOf(stream) === stream.constructor.prototype, stream.writableHighWaterMark);
}

// A replaced write() sees what the console writes; text keeps its order afterwards.
const seen = [];
process.stdout.write = (chunk) => seen.push(chunk);
console.log('caught');
process.stdout.write('also caught');
delete process.stdout.write;
process.stdout.write('one ');
console.log('two');
process.stdout.write('three\n', () => console.log('written'));
console.log(seen);
