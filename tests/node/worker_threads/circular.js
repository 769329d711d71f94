// Circles and shared parts keep their shape; accessors and methods do not.
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
const shared = { name: 'shared' };
const value = { first: shared, second: shared, get computed() { return 7; } };
value.self = value;
port1.postMessage(value);
const { message } = receiveMessageOnPort(port2);
console.log(message);
console.log(message.self === message, message.first === message.second, message.first !== shared);
class Point { constructor() { this.x = 1; } }
port1.postMessage(new Point());
const point = receiveMessageOnPort(port2).message;
console.log(point, point instanceof Point, Object.getPrototypeOf(point) === Object.prototype);
const list = [1];
list.extra = 'property';
port1.postMessage(list);
console.log(receiveMessageOnPort(port2).message);
