const fs = require('fs');
const net = require('net');
const tick = (from) => process.nextTick(() => console.log('tick after', from));
setTimeout(() => { tick('timer'); console.log('timer'); setImmediate(() => { tick('immediate'); console.log('immediate');
  fs.readFile(__filename, () => { tick('read'); console.log('read');
    const server = net.createServer().listen(0, () => { tick('listening'); console.log('listening');
      server.close(() => { tick('close'); console.log('close'); }); }); }); }); }, 1);
process.on('exit', () => { process.nextTick(() => console.log('never')); });
