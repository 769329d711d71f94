'use strict';
// Clones of a histogram share what is recorded, also on other threads.
const { createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');
const { MessageChannel, Worker, isMainThread, receiveMessageOnPort, workerData } = require('node:worker_threads');

if (!isMainThread) {
  const { histogram, port } = workerData;
  for (let i = 1; i <= 1000; i++) histogram.record(i);
  port.once('message', (other) => {
    other.record(7);
    port.postMessage([histogram.count, other.count, other.constructor.name]);
    port.close();
  });
} else {
  const histogram = createHistogram({ highest: 2000 });
  const clone = structuredClone(histogram);
  histogram.record(5);
  clone.record(7);
  clone.record(3000);
  console.log(clone, histogram.count, histogram.exceeds, clone.constructor.name, clone instanceof histogram.constructor);
  const inside = structuredClone({ list: [histogram, clone] });
  inside.list[1].add(histogram);
  console.log(histogram.count, inside.list[0].count);
  clone.subtract(histogram);
  console.log(histogram.count, clone.count);
  clone.reset();

  // One of the loop's delays: its clone cannot be recorded to.
  const delays = monitorEventLoopDelay();
  const cloned = structuredClone(delays);
  console.log(cloned.constructor.name, typeof cloned.record, typeof cloned.enable, cloned.count);

  // In a message that is not read in order.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(histogram);
  histogram.record(11);
  const { message } = receiveMessageOnPort(port2);
  message.record(12);
  console.log(histogram.min, histogram.max, message.count);

  const other = createHistogram();
  const { port1: mine, port2: theirs } = new MessageChannel();
  const worker = new Worker(__filename, { workerData: { histogram, port: theirs }, transferList: [theirs] });
  for (let i = 1; i <= 1000; i++) histogram.record(i);
  mine.postMessage(other);
  mine.once('message', (counts) => console.log(counts));
  worker.on('exit', () => console.log(histogram.count, histogram.percentile(50), other.count, other.min));
}
