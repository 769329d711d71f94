// rondo-test: option=--experimental-vm-modules option=--no-warnings option=--max-heap-size=64
'use strict';
// Modules go when nothing refers to them any more, and so does what belongs to them: all of them
// together would need 300 MB.
const { SourceTextModule, SyntheticModule } = require('vm');

function make() {
  const big = new Array(64 * 1024).fill(0);
  const synthetic = new SyntheticModule(['a'], () => synthetic.setExport('a', big));
  const text = new SourceTextModule("import { a } from 'a'; export const b = a, c = import.meta;", {
    initializeImportMeta(meta, module) { meta.module = module; },
    importModuleDynamically: () => text,
  });
  text.linkRequests([synthetic]);
  text.instantiate();
  text.evaluate();
}

let left = 600;
function next() {
  make();
  if (--left > 0) setImmediate(next);
  else console.log('done');
}
next();
