const { performance } = require('perf_hooks');
const m = performance.mark('a', { detail: { x: 1 }, startTime: 10 });
performance.mark('b', { startTime: 30 });
const me = performance.measure('a to b', 'a', 'b');
console.log(m.name, m.entryType, m.startTime, m.duration, m.detail, me.startTime, me.duration, me.entryType);
console.log(performance.getEntriesByName('a').length, performance.getEntriesByType('mark').map((e) => e.name), performance.getEntries().length > 2);
performance.clearMarks('a');
performance.clearMeasures();
console.log(performance.getEntriesByType('mark').map((e) => e.name), performance.getEntriesByType('measure'));
for (const f of [() => performance.mark(), () => performance.measure('x', 'nope'), () => performance.mark('x', { startTime: -1 })]) {
  try {
    f();
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
console.log(me.toJSON(), m);
