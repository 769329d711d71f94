// process.getActiveResourcesInfo(): message ports that listen, and intervals as long as they are set.
const { port1, port2 } = new MessageChannel();
console.log(process.getActiveResourcesInfo().includes('MessagePort'));
port1.on('message', () => {});
console.log(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length);
port1.unref();
console.log(process.getActiveResourcesInfo().includes('MessagePort'));
port1.ref();
port2.close();
const interval = setInterval(() => {
  console.log(process.getActiveResourcesInfo().includes('Timeout'));
  clearInterval(interval);
  console.log(process.getActiveResourcesInfo().includes('Timeout'));
}, 5);
const timeout = setTimeout(() => {
  clearTimeout(timeout);
  console.log(process.getActiveResourcesInfo().includes('Timeout'));
}, 20);
