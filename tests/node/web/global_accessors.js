'use strict';
// Globals that are loaded when they are first used look like Node's, before and after.
function show(name) {
  const { get, set, value, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, get?.name, set?.name, typeof value, enumerable, configurable);
}

for (const name of ['Blob', 'BroadcastChannel', 'performance']) {
  show(name);
  void globalThis[name];
  show(name);
  globalThis[name] = 1;
  show(name);
  console.log(globalThis[name]);
}
