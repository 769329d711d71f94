// The text of a failed call also where it lies in no file: eval, new Function(), node:vm, data: URLs.
const assert = require('assert');
const vm = require('vm');
globalThis.assert = assert;

function show(fn) {
  try {
    fn();
  } catch (error) {
    console.log(error.message);
  }
}

show(() => new Function('assert', 'assert(1 === 2);')(assert));
show(() => new Function('"x";\nreturn assert.ok(0,\n undefined)')());
show(() => eval('1;\n  assert.ok("a" === "b"); 2'));
show(() => (0, eval)('assert(false)'));
show(() => eval('assert.equal(1, 2)'));
show(() => vm.runInThisContext('assert(null)', 'named.vm'));
show(() => vm.runInThisContext('assert(null)', { filename: __filename, lineOffset: 10, columnOffset: 5 }));
show(() => vm.runInNewContext('f(a, "b" /* ) */)', { f: assert, a: 0 }));
show(() => vm.runInNewContext('\n\n f(a === 2)', { f: assert, a: 0 }, { filename: 'other.vm' }));
show(() => new vm.Script('assert(0)//# sourceURL=elsewhere.js').runInThisContext());
show(() => vm.compileFunction('assert(x)', ['x'])(false));
show(() => assert(0));
show(() => [0].forEach(assert));
show(() => [0].forEach((x) => assert(x)));
show(() => assert.ok());
import('data:text/javascript,import assert from "assert"; try { assert(1 > 2) } catch (e) { console.log(e.message) }');
