// A server that closes is one callback of the close phase.
const { metrics } = require('rondo:lens');
const net = require('net');

const path = require('path').join(require('os').tmpdir(), `rondo-close-${process.pid}.sock`);

function closeAndCount(where, next) {
  const before = metrics().close_callbacks;
  const server = net.createServer().listen(where, () => {
    // The immediates of the next iteration come after this iteration's close phase.
    setImmediate(() => {
      server.close();
      setImmediate(() => {
        console.log(metrics().close_callbacks - before);
        next?.();
      });
    });
  });
}

closeAndCount(0, () => closeAndCount(path));
