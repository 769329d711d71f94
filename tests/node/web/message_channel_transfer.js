const { port1, port2 } = new MessageChannel();
const buffer = new Uint8Array([1, 2, 3]).buffer;
port2.on('message', (m) => { console.log(new Uint8Array(m), buffer.byteLength); port2.close(); });
port1.postMessage(buffer, [buffer]);
try {
  port1.postMessage(() => {});
} catch (e) {
  console.log(e.name, e.message);
}
