const { port1, port2 } = new MessageChannel();
port1.on('message', (m) => { console.log('port1', m); if (m === 'last') port1.close(); });
port2.onmessage = (e) => { console.log('port2', e.data, e.type); port2.postMessage({ reply: e.data }); port2.postMessage('last'); };
port1.on('close', () => console.log('closed'));
port1.postMessage('hello');
process.nextTick(() => console.log('tick'));
console.log('posted');
