// rondo-test: option=--expose-gc option=--no-warnings
// queryObjects(), isStringOneByteRepresentation(), profilers that are disposed of.
const v8 = require('node:v8');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
class Base { constructor(name) { this.name = name; } }
class Derived extends Base {}
let one = new Base('one');
const two = new Derived('two');
attempt('count', () => v8.queryObjects(Base));
attempt('derived', () => v8.queryObjects(Derived, { format: 'count' }));
attempt('summary', () => v8.queryObjects(Derived, { format: 'summary' }));
one = undefined;
gc();
attempt('collected', () => v8.queryObjects(Base) <= 2);
for (const args of [[], [1], [Base, null], [Base, { format: 'all' }], [() => {}]]) attempt(args.length, () => v8.queryObjects(...args));
for (const text of ['', 'ascii', '\u00ff', '\u0100', 'a'.repeat(100) + '\u20ac', 5, undefined]) attempt(typeof text, () => v8.isStringOneByteRepresentation(text));
const profiler = new v8.GCProfiler();
profiler.start();
console.log(profiler[Symbol.dispose](), profiler.stop(), two.name);
{
  using histogram = require('node:perf_hooks').monitorEventLoopDelay();
  console.log(histogram.enable());
}
console.log(Object.keys(v8.getHeapStatistics()).at(-1), v8.getHeapStatistics().total_allocated_bytes > 0);
