require('./fixtures/net_on_any_port.js');
require('./fixtures/listen_then_listening.js');
console.log('script ends');
// ASYNC-3
