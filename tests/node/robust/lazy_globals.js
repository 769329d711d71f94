// Globals that are loaded when they are used, after a program has added a `name` to all objects.
Object.defineProperty(Object.prototype, 'name', {
  __proto__: null, get() { return 'atob'; }, set() {}, configurable: true,
});
console.log(typeof atob, typeof btoa, atob('aGk='), typeof URL, typeof Blob, typeof WebSocket, typeof CompressionStream);
