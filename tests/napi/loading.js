'use strict';
// Loading addons: process.dlopen(), require(), import, and what goes wrong.

const { spawnSync } = require('node:child_process');
const { createRequire } = require('node:module');
const { RTLD_LAZY, RTLD_NOW } = require('node:os').constants.dlopen;
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Worker } = require('node:worker_threads');

const folder = process.argv[2];
const file = (name) => join(folder, `${name}.node`);

function attempt(load) {
  try {
    console.log(load());
  } catch (error) {
    console.log(error.name, error.code, error.message.replaceAll(folder, '.'));
  }
}

attempt(() => require(file('loading_other')));
attempt(() => require(file('loading_throws')));
attempt(() => require(file('loading_old')));
delete require.cache[file('loading_old')];
attempt(() => require(file('loading_old')));
attempt(() => require(file('loading_empty')));
attempt(() => require(file('loading_locks')));
attempt(() => require(file('missing')));
attempt(() => createRequire(file('x'))('./loading_other.node'));
attempt(() => createRequire(file('x'))('./loading_other')); // the ending is one of those that are tried

attempt(() => process.dlopen());
attempt(() => process.dlopen({ exports: {} }));
attempt(() => process.dlopen({}, file('loading_other')));
attempt(() => process.dlopen(null, file('loading_other')));
attempt(() => process.dlopen({ exports: {} }, file('missing')));
attempt(() => process.dlopen({ exports: {} }, file('loading_other'), 0));
for (const flags of [undefined, RTLD_LAZY, RTLD_NOW, '1']) {
  const module = { exports: {} };
  attempt(() => process.dlopen(module, file('loading_other'), flags));
  console.log(module.exports);
}
const module_ = { exports: {}, filename: '/some where/x.node' };
process.dlopen(module_, file('loading_locks'));
console.log(module_.exports.file);
console.log(process.versions.napi, process.versions.modules);

for (const options of [['--no-addons'], ['--permission', '--allow-fs-read=*'],
                       ['--permission', '--allow-fs-read=*', '--allow-addons']]) {
  const script = `try { console.log(require(${JSON.stringify(file('loading_other'))})) } catch (error) { console.log(error.code, error.message) }`;
  const { stdout, status } = spawnSync(process.execPath, ['--no-warnings', ...options, '-e', script]);
  console.log(options.join(' '), status, stdout.toString().trim());
}

const worker = new Worker(`
  console.log(require(${JSON.stringify(file('loading_old'))}), require(${JSON.stringify(file('loading_other'))}));
`, { eval: true });
worker.on('exit', async (code) => {
  console.log('Worker', code);
  const url = pathToFileURL(file('loading_locks')).href;
  const imported = await import(url);
  console.log(imported, imported.default === require(file('loading_locks')));
  for (const name of ['loading_empty', 'missing']) {
    await import(pathToFileURL(file(name)).href).catch((error) => {
      console.log(error.code, error.message.replaceAll(folder, '.').replace(/ imported from .*/, ''));
    });
  }
});
