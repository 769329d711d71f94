'use strict';
// Responses leave in the order of their requests.
const { run } = require('./fixtures/raw.js');

let n = 0;
function handler(req, res) {
  const mine = ++n;
  if (req.url === "/last") res.setHeader("Connection", "close");
  setTimeout(() => res.end(`${mine} ${req.url}`), mine % 3 === 1 ? 20 : 1);
}
const G = (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const cases = { three: G("/1") + G("/2") + G("/last") };

run(cases, handler);
