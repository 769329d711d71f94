// (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11]);
const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
console.log(instance.exports.add(40, 2), WebAssembly.validate(bytes), WebAssembly.validate(bytes.slice(4)));
WebAssembly.instantiate(bytes).then(({ instance: i, module: m }) => {
  console.log(i.exports.add(-1, 1), WebAssembly.Module.exports(m));
  return WebAssembly.compile(new Uint8Array(4));
}).catch((e) => console.log(e.name));
process.nextTick(() => console.log('tick'));
