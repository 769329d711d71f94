'use strict';
// What node:http consists of.
const http = require('http');

console.log(Object.keys(http));
console.log(http.METHODS.join(' '));
console.log(http.STATUS_CODES);
console.log(http.maxHeaderSize);
for (const name of ['Agent', 'ClientRequest', 'IncomingMessage', 'OutgoingMessage', 'Server', 'ServerResponse']) {
  console.log(name, http[name].length, Object.keys(http[name].prototype).sort().join(' '));
}
for (const id of ['_http_agent', '_http_client', '_http_common', '_http_outgoing', '_http_server']) {
  console.log(id, typeof require(id));
}
