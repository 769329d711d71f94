'use strict';
// Time-outs of a session and of its stream wait while a response makes progress, of a buffer or of a file. The client
// reads half a megabyte, pauses for longer than the time-out, and goes on.
const fs = require('node:fs');
const http2 = require('node:http2');
const os = require('node:os');
const path = require('node:path');

const kBytes = 2_000_000;
const kTimeoutMs = 600;
const kPauseMs = 750; // well below the second time-out, also on a busy machine

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'progress-'));
const file = path.join(folder, 'large');
fs.writeFileSync(file, Buffer.alloc(kBytes));

const server = http2.createServer();
server.setTimeout(kTimeoutMs, () => console.log('time-out of a session'));
server.on('stream', (stream, headers) => {
  const isFile = headers[':path'] === '/file';
  if (isFile) {
    stream.respondWithFile(file);
  } else {
    stream.respond();
    stream.write(Buffer.alloc(kBytes));
  }
  stream.setTimeout(kTimeoutMs, () => console.log('time-out of a stream'));
  if (!isFile) stream.end();
});

function get(client, target) {
  return new Promise((resolve) => {
    const request = client.request({ ':path': target });
    let count = 0;
    let total = 0;
    request.on('data', (data) => {
      count += data.length;
      total += data.length;
      if (count < 500_000 || total === kBytes) return;
      count = 0;
      request.pause();
      setTimeout(() => request.resume(), kPauseMs);
    });
    request.on('end', () => resolve(total));
  });
}

server.listen(0, async () => {
  for (const target of ['/buffer', '/file']) {
    const client = http2.connect(`http://localhost:${server.address().port}`);
    console.log(target, await get(client, target));
    await new Promise((resolve) => client.close(resolve));
  }
  server.close();
  fs.rmSync(folder, { recursive: true });
});
