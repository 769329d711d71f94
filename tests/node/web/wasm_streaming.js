'use strict';
// WebAssembly.compileStreaming() and instantiateStreaming(): of what they take and what they refuse.
// (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
const wasm = Buffer.from('0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b', 'hex');
const kType = { headers: { 'Content-Type': 'application/wasm' } };

async function attempt(label, run) {
  try {
    console.log(label, await run());
  } catch (error) {
    console.log(label, error?.name, error?.code, error?.message ?? error);
  }
}
const pieces = (size) => new ReadableStream({
  async start(controller) {
    for (let at = 0; at < wasm.length; at += size) {
      await null;
      controller.enqueue(wasm.subarray(at, at + size));
    }
    controller.close();
  },
});

(async () => {
  for (const name of ['compileStreaming', 'instantiateStreaming']) {
    const { value, ...rest } = Object.getOwnPropertyDescriptor(WebAssembly, name);
    console.log(name, value.name, value.length, rest);
  }
  await attempt('compile', async () => WebAssembly.Module.exports(await WebAssembly.compileStreaming(new Response(wasm, kType))));
  await attempt('instantiate', async () => {
    const { module, instance } = await WebAssembly.instantiateStreaming(Promise.resolve(new Response(wasm, kType)));
    return [module instanceof WebAssembly.Module, instance.exports.add(20, 22)];
  });
  for (const size of [1, 7, 1000]) {
    await attempt(`in pieces of ${size}`, async () => {
      return (await WebAssembly.instantiateStreaming(new Response(pieces(size), kType))).instance.exports.add(1, 2);
    });
  }
  await attempt('buffers', async () => {
    const body = new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array(wasm)); controller.close(); } });
    return (await WebAssembly.compileStreaming(new Response(body, kType))) instanceof WebAssembly.Module;
  });
  for (const source of [undefined, null, 5, wasm, {}, Promise.reject(new Error('rejected'))]) {
    await attempt('no response', () => WebAssembly.compileStreaming(source));
  }
  await attempt('type', () => WebAssembly.compileStreaming(new Response(wasm)));
  await attempt('type with more', () => WebAssembly.compileStreaming(new Response(wasm, { headers: { 'Content-Type': 'application/wasm; a=b' } })));
  await attempt('status', () => WebAssembly.compileStreaming(new Response(wasm, { ...kType, status: 404 })));
  await attempt('used', async () => {
    const response = new Response(wasm, kType);
    await response.arrayBuffer();
    return WebAssembly.compileStreaming(response);
  });
  await attempt('no body', () => WebAssembly.compileStreaming(new Response(null, kType)));
  await attempt('not wasm', () => WebAssembly.compileStreaming(new Response('some text', kType)));
  await attempt('cut', () => WebAssembly.compileStreaming(new Response(wasm.subarray(0, 30), kType)));
  await attempt('body fails', () => WebAssembly.compileStreaming(new Response(new ReadableStream({
    pull(controller) { controller.error(new Error('lost')); },
  }), kType)));
  await attempt('link', () => WebAssembly.instantiateStreaming(new Response(Buffer.from('0061736d01000000010401600000020701016101620000', 'hex'), kType), {}));
  await attempt('imports', () => WebAssembly.instantiateStreaming(new Response(wasm, kType), 5));
  await attempt('data URL', async () => (await WebAssembly.instantiateStreaming(fetch(`data:application/wasm;base64,${wasm.toString('base64')}`))).instance.exports.add(3, 4));
  const vm = require('node:vm');
  await attempt('another context', async () => (await vm.runInNewContext('WebAssembly.compileStreaming(response)', { response: new Response(wasm, kType) })).constructor.name);
})();
