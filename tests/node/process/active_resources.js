const net = require('net');
const server = net.createServer().listen(0, () => {
  setTimeout(() => {}, 1);
  console.log(process.getActiveResourcesInfo().sort());
  server.close();
});
