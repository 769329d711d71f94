// prometheus(): the figures in the words of Prometheus, counted from the first call on where no page was asked for.
const { prometheus, subscribe } = require('rondo:lens');
const assert = require('assert');

const types = (text) => text.split('\n').filter((line) => line.startsWith('# TYPE ')).map((line) => line.slice(7));

function read() {
  const text = prometheus();
  assert(text.endsWith('\n'));
  const samples = {};
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, name, value] = /^([a-z_]+(?:\{[a-z]+="[^"]+"\})?) ([0-9.e+-]+)$/.exec(line);
    samples[name] = Number(value);
  }
  return samples;
}

const ran = (samples, source) => samples[`rondo_callbacks_by_source_total{source="${source}"}`];

console.log(types(prometheus()).join('\n'));
const atStart = read();
for (const source of ['immediate', 'timeout', 'tick', 'microtask']) console.log(source, ran(atStart, source));

// What is subscribed and ends in between does not end the counting.
const unsubscribe = subscribe(() => {});
for (let i = 0; i < 10; i++) setImmediate(() => {});
for (let i = 0; i < 100; i++) process.nextTick(() => {});
for (let i = 0; i < 1000; i++) queueMicrotask(() => {});
setImmediate(() => {
  unsubscribe();
  const now = read();
  console.log('immediates', ran(now, 'immediate'));
  assert(ran(now, 'tick') >= 100 && ran(now, 'tick') < 150);
  assert(ran(now, 'microtask') >= 1000 && ran(now, 'microtask') < 1050);
  setTimeout(() => {
    console.log('timeouts', ran(read(), 'timeout'));
    const end = Date.now() + 60;
    while (Date.now() < end);
    setImmediate(() => {
      const then = read();
      console.log('blocked', then.rondo_blocked_total >= 1);
      assert(then['rondo_loop_delay_seconds_bucket{le="+Inf"}'] === then.rondo_loop_delay_seconds_count);
    });
  }, 1);
});
