// rondo-test: option=--no-warnings
// node:wasi: what the class looks like, which options it takes, and in which order it may be used.
const { WASI } = require('wasi');

const attempt = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error.errno, error.syscall);
  }
};
const make = (options) => new WASI({ version: 'preview1', ...options });

const wasi = make({ args: ['program', 1], env: { A: 1, B: undefined }, preopens: { '/work': '.' } });
console.log(wasi);
for (const [name, call] of Object.entries(wasi.wasiImport)) console.log(name, call.length, call.name);
console.log(Object.keys(wasi.getImportObject()), Object.keys(new WASI({ version: 'unstable' }).getImportObject()));

attempt('called', () => WASI({ version: 'preview1' }));
attempt('no options', () => new WASI());
attempt('null', () => new WASI(null));
attempt('version', () => new WASI({ version: 'preview2' }));
attempt('args', () => make({ args: 'a' }));
attempt('env', () => make({ env: 'a' }));
attempt('preopens', () => make({ preopens: 1 }));
attempt('stdin', () => make({ stdin: 'in' }));
attempt('stdout', () => make({ stdout: -1 }));
attempt('stderr', () => make({ stderr: 2 ** 31 }));
attempt('returnOnExit', () => make({ returnOnExit: 1 }));
attempt('missing directory', () => make({ preopens: { '/work': './missing' } }));
attempt('no directory', () => make({ preopens: { '/work': __filename } }));
attempt('closed descriptor', () => make({ stdin: 1000 }));

attempt('not started', () => wasi.wasiImport.args_get(0, 0));
attempt('too few arguments', () => wasi.wasiImport.args_get(0));
attempt('wrong type', () => wasi.wasiImport.fd_close('3'));

const memory = new WebAssembly.Memory({ initial: 1 });
attempt('no instance', () => wasi.start());
attempt('no exports', () => wasi.start({}));
attempt('no memory', () => wasi.start({ exports: {} }));
attempt('other memory', () => wasi.start({ exports: { memory: new ArrayBuffer(10) } }));
attempt('no _start', () => make().start({ exports: { memory } }));
attempt('both', () => make().start({ exports: { memory, _start() {}, _initialize() {} } }));
attempt('start', () => make().start({ exports: { memory, _start() { console.log('started'); } } }));
attempt('start throws', () => make().start({ exports: { memory, _start() { throw new Error('mine'); } } }));
attempt('initialize with _start', () => make().initialize({ exports: { memory, _start() {} } }));
attempt('initialize', () => make().initialize({ exports: { memory, _initialize() { console.log('initialized'); } } }));
attempt('initialize without', () => make().initialize({ exports: { memory } }));
attempt('memory as option', () => make().finalizeBindings({ exports: {} }, { memory }));
attempt('finalized', () => wasi.finalizeBindings({ exports: { memory } }));
attempt('again', () => wasi.finalizeBindings({ exports: { memory } }));
attempt('started then', () => wasi.start({ exports: { memory, _start() {} } }));
attempt('exit code', () => {
  const exits = make();
  return exits.start({ exports: { memory, _start() { exits.wasiImport.proc_exit(42); } } });
});
