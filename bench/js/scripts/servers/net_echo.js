'use strict';
// Argument: how many connections. Clients of another process send 64 bytes and wait for them. One operation is a
// round trip, and what counts is the server.
const net = require('node:net');
const { clock, finish, generate, pin } = require('./load.js');

const kWarmUp = 200_000;
const kRoundTrips = 400_000;
const kBytes = 64;
const [connections] = process.argv.slice(2);

let trips = 0;
let stop;
const listener = net.createServer({ noDelay: true }, (socket) => {
  socket.on('data', (chunk) => {
    socket.write(chunk);
    if (++trips === kWarmUp) stop = clock();
    else if (trips === kWarmUp + kRoundTrips) finish(stop(), kRoundTrips);
  });
  socket.on('error', () => {});
});
listener.listen(0, '127.0.0.1', () => {
  pin();
  generate(['echo', listener.address().port, connections, kBytes]);
});
