// rondo-test: option=--experimental-vm-modules option=--no-warnings option=--expose-gc
'use strict';
// Modules go when nothing refers to them any more but V8's cache of compiled scripts.
const { SourceTextModule, SyntheticModule } = require('vm');
const { setImmediate: turn } = require('timers/promises');

let gone = 0;
const registry = new FinalizationRegistry(() => { ++gone; });

function make() {
  const synthetic = new SyntheticModule(['a'], () => synthetic.setExport('a', 1));
  const text = new SourceTextModule("import { a } from 'a'; export const b = a, c = import.meta;", {
    initializeImportMeta(meta, module) { meta.module = module; },
    importModuleDynamically: () => text,
  });
  text.linkRequests([synthetic]);
  text.instantiate();
  text.evaluate();
  registry.register(synthetic);
  registry.register(text);
}

async function main() {
  for (let i = 0; i < 100; ++i) make();
  // The last few may still be on the stack.
  for (let rounds = 0; rounds < 50 && gone < 190; ++rounds) {
    gc({ type: 'major', flavor: 'last-resort' }); // clears that cache
    await turn();
  }
  console.log(gone >= 190 ? 'gone' : `only ${gone} of 200 are gone`);
}

main();
