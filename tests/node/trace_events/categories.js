// rondo-test: scratch
// Which categories are on, and the objects that turn them on and off.
const { createTracing, getEnabledCategories } = require('trace_events');
const { inspect } = require('util');

const attempt = (run) => {
  try {
    console.log(run());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

console.log(getEnabledCategories());
attempt(() => createTracing());
attempt(() => createTracing('node'));
attempt(() => createTracing({ categories: 'node' }));
attempt(() => createTracing({ categories: [] }));
attempt(() => createTracing({ categories: ['a', 1] }));

const first = createTracing({ categories: ['b.two', 'a.one', 'b.two'] });
const second = createTracing({ categories: ['a.one', 'c.three'] });
console.log(first, first.categories, first.enabled);
console.log(inspect(first, { depth: -1 }) === undefined, Object.keys(first));
first.enable();
first.enable();
console.log(first.enabled, getEnabledCategories());
second.enable();
console.log(getEnabledCategories());
first.disable();
first.disable();
console.log(first.enabled, getEnabledCategories());
second.disable();
console.log(getEnabledCategories());

const { Worker } = require('worker_threads');
new Worker(`
  try {
    require('trace_events');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
`, { eval: true });
