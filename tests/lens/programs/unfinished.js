// Ends without its last line: what was it waiting for? (rondo --why-alive unfinished.js)
const { once } = require('events');
const { PassThrough } = require('stream');

async function fill(stream) {
  for (let i = 0; i < 100; i++) {
    if (!stream.write('x'.repeat(1000))) await once(stream, 'drain');
  }
  stream.end();
}

async function main() {
  const stream = new PassThrough({ highWaterMark: 4000 });
  await fill(stream);
  for await (const chunk of stream) console.log(chunk.length);
  console.log('done');
}

main();
