const names = ['AbortController', 'AbortSignal', 'Buffer', 'CustomEvent', 'DOMException', 'Event', 'EventTarget', 'MessageChannel', 'MessageEvent', 'MessagePort', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'WebAssembly', 'atob', 'btoa', 'clearImmediate', 'console', 'global', 'performance', 'process', 'queueMicrotask', 'setImmediate', 'structuredClone'];
for (const name of names) {
  const d = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, typeof globalThis[name], d.enumerable, d.configurable);
}
console.log(Object.keys(globalThis).filter((name) => name !== 'fetch' && name !== 'crypto'), Object.prototype.toString.call(globalThis));
