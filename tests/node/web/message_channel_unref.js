const { port1, port2 } = new MessageChannel();
port1.on('message', () => console.log('never'));
port1.unref();
console.log('does not hold the program');
