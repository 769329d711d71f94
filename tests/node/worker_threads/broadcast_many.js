// BroadcastChannel: names, the sender hears nothing of itself, closing, errors.
const { BroadcastChannel } = require('node:worker_threads');
const a = new BroadcastChannel('news');
const b = new BroadcastChannel('news');
const c = new BroadcastChannel('other');
for (const [name, channel] of Object.entries({ a, b, c })) {
  channel.onmessage = ({ data, type, origin }) => {
    console.log(name, type, JSON.stringify(origin), data);
    if (name === 'b') finish();
  };
}
a.postMessage({ text: 'hello' });
function finish() {
  b.close();
  b.close();
  try {
    b.postMessage(1);
  } catch (error) {
    console.log(error.name, error.message);
  }
  a.close();
  c.close();
}
for (const make of [() => new BroadcastChannel(), () => BroadcastChannel('x'), () => new BroadcastChannel(Symbol('x')),
  () => a.postMessage(), () => a.postMessage(() => {})]) {
  try {
    make();
  } catch (error) {
    console.log(error.name, error.code);
  }
}
console.log(new BroadcastChannel(5).unref().name, a);
