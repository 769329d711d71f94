'use strict';
// What packages look up in node:http2 when they are loaded.
const http2 = require('http2');
console.log(Object.keys(http2));
console.log(Object.entries(http2.constants).map(([name, value]) => `${name} ${value}`).join('\n'));
console.log(Object.getPrototypeOf(http2.constants) === Object.prototype, String(http2.sensitiveHeaders));
console.log(typeof http2.connect, typeof http2.createServer, require('module').builtinModules.includes('http2'));
console.log({} instanceof http2.Http2ServerRequest, {} instanceof http2.Http2ServerResponse);
