'use strict';
// A body that is aborted, or cancelled, ends the connection, and the server sees it.
const http = require('http');

async function serve(handler) {
  const server = http.createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, `http://127.0.0.1:${server.address().port}`];
}

(async () => {
  const seen = [];
  const [server, base] = await serve((request, response) => {
    response.on('close', () => seen.push(`${request.url} ${response.writableFinished}`));
    response.write('x'.repeat(1000));
  });
  const controller = new AbortController();
  const aborted = await fetch(`${base}/aborted`, { signal: controller.signal });
  const reader = aborted.body.getReader();
  console.log((await reader.read()).value.length);
  controller.abort();
  await reader.read().catch((error) => console.log(error.name, error.message));
  const cancelled = await fetch(`${base}/cancelled`);
  await cancelled.body.cancel();
  console.log(cancelled.bodyUsed, cancelled.body.locked);
  await cancelled.text().catch((error) => console.log(error.name, error.message));
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(seen.sort());
  server.closeAllConnections();
  server.close();
})();
