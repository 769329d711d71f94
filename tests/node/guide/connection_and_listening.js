require('./fixtures/net_on_any_port.js');
require('./fixtures/connection_and_listening.js');
process.nextTick(() => console.log('tick after listen'));
console.log('script ends');
