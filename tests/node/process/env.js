// rondo-test: env=FROM_TEST=value
console.log(process.env.FROM_TEST, process.env.NOT_THERE, 'FROM_TEST' in process.env, Object.keys(process.env).includes('FROM_TEST'));
process.env.NUMBER = 5;
process.env.UNDEF = undefined;
console.log(process.env.NUMBER, typeof process.env.NUMBER, process.env.UNDEF, delete process.env.NUMBER, process.env.NUMBER, delete process.env.NOT_THERE);
for (const f of [() => { process.env.x = Symbol('s'); }, () => Object.defineProperty(process.env, 'y', { value: 'v' })]) {
  try {
    f();
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
