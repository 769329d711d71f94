// Variables whose names are numbers are variables like others, for children and Workers too.
const { execFileSync } = require('node:child_process');
const { Worker, isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.env[42] = 'forty-two';
  process.env['007'] = 'seven';
  process.env[4294967295] = 'large';
  console.log(process.env[42], process.env['42'], 42 in process.env, Object.hasOwn(process.env, 42), process.env[43]);
  console.log(Object.keys(process.env).filter((name) => Number(name) > 0).sort());
  console.log(Object.getOwnPropertyDescriptor(process.env, 42), { ...process.env }[42], structuredClone(process.env)[42]);
  console.log(execFileSync(process.execPath, ['-p', '[process.env[42], process.env["007"], process.env[4294967295]]']).toString());
  new Worker(__filename).on('exit', () => {
    delete process.env[42];
    console.log(process.env[42], 42 in process.env, Object.defineProperty(process.env, 5, { value: 'five', writable: true, enumerable: true, configurable: true })[5]);
    try {
      Object.defineProperty(process.env, 6, { value: 'six' });
    } catch (error) {
      console.log(error.code);
    }
  });
} else {
  console.log(process.env[42], delete process.env[42], process.env[42]);
}
