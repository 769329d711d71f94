const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const { instance } = await WebAssembly.instantiate(bytes);
console.log('the program waited for the compilation', Object.keys(instance.exports));
