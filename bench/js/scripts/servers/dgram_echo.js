'use strict';
// Argument: how many sockets the clients of another process have; each sends 64 bytes and waits for them. One operation is
// a round trip, and what counts is the server.
const dgram = require('node:dgram');
const { clock, finish, generate, pin } = require('./load.js');

const kWarmUp = 100_000;
const kRoundTrips = 300_000;
const kBytes = 64;
const [sockets] = process.argv.slice(2);

let trips = 0;
let stop;
const server = dgram.createSocket('udp4');
server.on('message', (message, { address, port }) => {
  server.send(message, port, address);
  if (++trips === kWarmUp) stop = clock();
  else if (trips === kWarmUp + kRoundTrips) finish(stop(), kRoundTrips);
});
server.bind(0, '127.0.0.1', () => {
  pin();
  generate(['udp', server.address().port, sockets, kBytes]);
});
