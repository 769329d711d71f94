// WebAssembly.compileStreaming() and instantiateStreaming(): what they take, and their errors.
const wasm = (bytes, type = 'application/wasm', init) => new Response(new Uint8Array(bytes), { headers: { 'content-type': type }, ...init });
const empty = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const imports = [0,0x61,0x73,0x6d,1,0,0,0,1,4,1,0x60,0,0,2,7,1,1,0x61,1,0x62,0,0];
const show = async (name, promise) => { try { const r = await promise; console.log(name, r); } catch (e) { console.log(name, e.name, e.code, e.message); } };
(async () => {
  const d = Object.getOwnPropertyDescriptor(WebAssembly, 'compileStreaming');
  console.log(Object.keys(d), d.enumerable, d.value.name, d.value.length, 'prototype' in d.value, WebAssembly.instantiateStreaming.length);
  await show('empty', WebAssembly.compileStreaming(wasm(empty)));
  await show('promise', WebAssembly.instantiateStreaming(Promise.resolve(wasm(empty))));
  await show('short', WebAssembly.compileStreaming(wasm([0])));
  await show('bad', WebAssembly.instantiateStreaming(wasm([0, 1, 2, 3, 4, 5, 6, 7])));
  await show('type', WebAssembly.compileStreaming(wasm(empty, 'text/html')));
  await show('no type', WebAssembly.compileStreaming(new Response(new Uint8Array(empty))));
  await show('parameters', WebAssembly.compileStreaming(wasm(empty, 'application/wasm; charset=utf-8')));
  await show('status', WebAssembly.compileStreaming(new Response(new Uint8Array(empty), { status: 404, headers: { 'content-type': 'application/wasm' } })));
  const used = wasm(empty); await used.arrayBuffer();
  await show('used', WebAssembly.compileStreaming(used));
  await show('link', WebAssembly.instantiateStreaming(wasm(imports)));
  await show('link 2', WebAssembly.instantiateStreaming(wasm(imports), { a: {} }));
  await show('linked', WebAssembly.instantiateStreaming(wasm(imports), { a: { b() {} } }));
  await show('imports', WebAssembly.instantiateStreaming(wasm(empty), 5));
  await show('null', WebAssembly.instantiateStreaming(wasm(empty), null));
  for (const x of [undefined, null, 5, {}, 'x']) await show('none', WebAssembly.compileStreaming(x));
  await show('rejected', WebAssembly.compileStreaming(Promise.reject(new RangeError('r'))));
  await show('no body', WebAssembly.compileStreaming(new Response(null, { headers: { 'content-type': 'application/wasm' } })));
})();
