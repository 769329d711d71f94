'use strict';
// The order of events around small chunks.
const zlib = require('node:zlib');
const stream = zlib.createGzip();
const log = [];
for (const event of ['drain', 'finish', 'end', 'close', 'prefinish']) stream.on(event, () => log.push(event));
stream.on('data', (chunk) => log.push(`data ${chunk.length}`));
log.push('write', stream.write('one', () => log.push('written one')));
log.push('write', stream.write('two', () => log.push('written two')));
process.nextTick(() => log.push('tick'));
Promise.resolve().then(() => log.push('microtask'));
stream.end('three', () => log.push('ended'));
log.push('end of script');
stream.on('close', () => console.log(log.join('\n')));
