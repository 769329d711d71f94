// --disable-proto in contexts of node:vm and in Workers.
const { spawnSync } = require('child_process');
const program = `
  const vm = require('vm');
  const { Worker, isMainThread } = require('worker_threads');
  const attempt = (call) => {
    try {
      console.log(call());
    } catch (error) {
      console.log(error.code, error.message);
    }
  };
  for (const context of [vm.createContext(), vm.createContext({ Object: null }), vm.createContext(vm.constants.DONT_CONTEXTIFY)]) {
    attempt(() => vm.runInContext('({}).__proto__', context));
    attempt(() => vm.runInContext('({}).__proto__ = {}', context));
    attempt(() => vm.runInContext('Reflect.ownKeys(Reflect.getPrototypeOf({})).includes("__proto__")', context));
    attempt(() => vm.runInContext('typeof { __proto__: [] }.push', context));
  }
  if (isMainThread) new Worker(process.env.PROGRAM, { eval: true });
`;
for (const mode of ['delete', 'throw']) {
  const { stdout, stderr } = spawnSync(process.execPath, [`--disable-proto=${mode}`, '-e', program],
    { encoding: 'utf8', env: { ...process.env, PROGRAM: program } });
  console.log(mode, stdout, stderr);
}
