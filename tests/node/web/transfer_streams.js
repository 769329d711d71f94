'use strict';
// Web streams go through structuredClone() and ports when they are listed, and stay whole when that fails.
function show(make) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const stream = new ReadableStream();
show(() => structuredClone(stream));
show(() => structuredClone(stream, { transfer: [stream, stream] }));
show(() => structuredClone([stream, () => {}], { transfer: [stream] }));
console.log(stream.locked);
show(() => structuredClone(stream, { transfer: [stream] }));
console.log(stream.locked);
show(() => structuredClone(stream, { transfer: [stream] }));
show(() => structuredClone(1, { transfer: [{}] }));
show(() => structuredClone(1, { transfer: [new DOMException('b')] }));
for (const pick of ['readable', 'writable']) {
  const transform = new TransformStream();
  show(() => structuredClone(1, { transfer: [transform, transform[pick]] }));
  show(() => structuredClone(1, { transfer: [transform[pick], transform] }));
}
for (const Class of [WritableStream, TransformStream]) {
  const original = new (class extends Class {})();
  const copy = structuredClone(original, { transfer: [original] });
  console.log(Object.getPrototypeOf(copy) === Class.prototype);
}

const { port1, port2 } = new MessageChannel();
port2.onmessage = async ({ data }) => {
  for await (const chunk of data.readable) console.log(chunk);
  const writer = data.writable.getWriter();
  await writer.write({ a: 1 });
  await writer.close();
  port2.close();
};
const readable = ReadableStream.from(['a', { b: new Map([[1, 2]]) }]);
const writable = new WritableStream({
  write(chunk) { console.log('written', chunk); },
  close() { console.log('closed'); },
});
port1.postMessage({ readable, writable }, [readable, writable]);
