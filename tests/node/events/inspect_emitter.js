const EventEmitter = require('events');
console.log(new EventEmitter());
class Named extends EventEmitter { constructor() { super(); this.own = 1; this.on('x', function f() {}); } }
console.log(new Named());
