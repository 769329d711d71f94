'use strict';
// 100-continue, and other expectations.
const { run, summarize } = require('./fixtures/raw.js');

const cases = {
  continues: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
  other: "POST / HTTP/1.1\r\nHost: a\r\nExpect: something\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
};

run(cases, summarize);
