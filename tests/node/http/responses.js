'use strict';
// Forms of responses: lengths, chunks, trailers, statuses without a body.
const { run } = require('./fixtures/raw.js');

function handler(req, res) {
  res.setHeader("Connection", "close");
  switch (req.url) {
    case "/empty": return res.end();
    case "/chunks": res.write("a"); res.write(Buffer.from("bc")); return res.end("d");
    case "/trailers": res.writeHead(200, { "Transfer-Encoding": "chunked", Trailer: "X-T" }); res.write("a"); res.addTrailers({ "X-T": "1" }); return res.end();
    case "/trailersWithoutChunks": try { res.writeHead(200, { Trailer: "X-T" }); } catch (error) { console.log(error.code); } return res.socket.destroy();
    case "/204": res.statusCode = 204; return res.end("ignored");
    case "/304": res.writeHead(304); return res.end();
    case "/reason": res.writeHead(299, "Fine So Far", ["A", "1", "A", "2"]); return res.end("x");
    case "/cookies": res.setHeader("Set-Cookie", ["a=1", "b=2"]); res.appendHeader("X-L", "1"); res.appendHeader("X-L", ["2", "3"]); return res.end();
    case "/length": res.writeHead(200, { "Content-Length": 3 }); return res.end("abc");
    case "/hints": res.writeEarlyHints({ link: "</a.css>; rel=preload; as=style" }); res.writeProcessing(); return res.end("x");
    case "/cork": res.cork(); res.write("a"); res.write("b"); res.uncork(); return res.end("c");
    case "/noDate": res.sendDate = false; res.removeHeader("content-length"); return res.end("x");
  }
}
const cases = {};
for (const path of "empty chunks trailers trailersWithoutChunks 204 304 reason cookies length hints cork noDate".split(" ")) {
  cases[path] = `GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  cases[`HEAD ${path}`] = `HEAD /${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

run(cases, handler);
