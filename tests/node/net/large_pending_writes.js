'use strict';
// What waits to be sent has no limit: write() says by its result that it is a lot.
const net = require('net');

function transfer(write, expected) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      let received = 0;
      socket.on('data', (data) => { received += data.length; });
      socket.on('end', () => {
        console.log('received all', received === expected);
        server.close(resolve);
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const client = net.connect(server.address().port, '127.0.0.1', () => write(client));
      client.on('error', (error) => console.log('error', error.code));
      client.on('close', (hadError) => console.log('close', hadError));
    });
  });
}

(async () => {
  const large = 100_000_000;
  await transfer((client) => {
    console.log('room', client.write(Buffer.alloc(large), (error) => console.log('written', error ?? null)));
    client.end();
  }, large);

  const chunk = Buffer.alloc(65_536);
  const count = 1600;
  await transfer((client) => {
    let errors = 0;
    let calls = 0;
    for (let i = 0; i < count; i++) {
      client.write(chunk, (error) => {
        calls++;
        if (error) errors++;
        if (calls === count) console.log('callbacks', calls, 'errors', errors);
      });
    }
    client.end();
  }, chunk.length * count);
})();
