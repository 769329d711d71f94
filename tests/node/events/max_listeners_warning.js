const EventEmitter = require('events');
const e = new EventEmitter();
for (let i = 0; i < 12; i++) e.on('x', () => {});
class Mine extends EventEmitter {}
const m = new Mine().setMaxListeners(1);
m.on(Symbol('sym'), () => {});
m.on('two', () => {}).on('two', () => {});
