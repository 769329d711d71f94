'use strict';
// Time-outs of a session and of its stream wait while a response makes progress, of a buffer or of a file. The client
// reads a part of it and pauses. What the timers would call, _onTimeout(), is called here: no step depends on the time.
const fs = require('node:fs');
const http2 = require('node:http2');
const os = require('node:os');
const path = require('node:path');
const { setImmediate: nextIteration } = require('node:timers/promises');

const kBytes = 2_000_000;
const kPart = 300_000;
const kFarOff = 1_000_000; // ms: such a timer does not expire

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'progress-'));
const file = path.join(folder, 'large');
fs.writeFileSync(file, Buffer.alloc(kBytes));

const server = http2.createServer();
let served; // the stream of the server
server.on('stream', (stream, headers) => {
  if (headers[':path'] === '/file') {
    stream.respondWithFile(file);
  } else {
    stream.respond();
    stream.end(Buffer.alloc(kBytes));
  }
  served = stream;
});

// A response that is read in parts.
function get(client, target) {
  const request = client.request({ ':path': target });
  const reader = { total: 0, limit: 0 };
  request.pause();
  request.on('data', (data) => {
    reader.total += data.length;
    if (reader.total >= reader.limit) request.pause();
  });
  reader.ended = new Promise((resolve) => request.on('end', resolve));
  reader.read = async (bytes) => {
    reader.limit = reader.total + bytes;
    request.resume();
    while (reader.total < reader.limit) await nextIteration();
    // Until the server has nothing more to send to a client that does not read.
    for (let sent = -1; sent !== served.session.socket.bytesWritten; await nextIteration()) {
      sent = served.session.socket.bytesWritten;
      for (let i = 0; i < 20; i++) await nextIteration();
    }
  };
  reader.readAll = () => {
    reader.limit = Infinity;
    request.resume();
    return reader.ended;
  };
  return reader;
}

function look(name, emitter) {
  let count = 0;
  const listener = () => count++;
  emitter.on('timeout', listener);
  emitter._onTimeout();
  emitter.off('timeout', listener);
  console.log(name, count === 0 ? 'waits' : 'time-out');
}

server.listen(0, async () => {
  for (const target of ['/buffer', '/file']) {
    const client = http2.connect(`http://localhost:${server.address().port}`);
    const reader = get(client, target);
    while (served === undefined) await nextIteration();
    const { session } = served;
    served.setTimeout(kFarOff);
    session.setTimeout(kFarOff);
    for (let i = 0; i < 2; i++) {
      await reader.read(kPart);
      look('stream, after progress:', served);
      await reader.read(kPart);
      look('session, after progress:', session);
    }
    look('stream:', served);
    look('session:', session);
    await reader.readAll();
    console.log(target, reader.total);
    await new Promise((resolve) => client.close(resolve));
    served = undefined;
  }
  server.close();
  fs.rmSync(folder, { recursive: true });
});
