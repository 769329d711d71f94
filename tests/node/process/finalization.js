'use strict';
const kept = { name: 'kept' };
const forgotten = { name: 'forgotten' };
const before = () => {};
process.finalization.register(kept, (object, event) => console.log(object, event));
process.finalization.register(forgotten, () => console.log('never'));
process.finalization.registerBeforeExit(before, function(object, event) { console.log(typeof object, event, this === undefined); });
process.finalization.unregister(forgotten);
process.finalization.unregister({});
for (const value of [1, null, undefined, 'x', []]) {
  try {
    process.finalization.register(value, () => {});
  } catch (error) {
    console.log(error.code, error.message);
  }
}
console.log(process.listenerCount('exit'), process.listenerCount('beforeExit'), Object.keys(process.finalization));
process.on('exit', () => console.log('exit', typeof kept, typeof before));
