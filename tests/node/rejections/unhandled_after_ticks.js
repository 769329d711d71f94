// Rejections are looked at after ticks and microtasks are empty.
const p = Promise.reject(new Error('handled in time'));
process.nextTick(() => process.nextTick(() => p.catch((e) => console.log(e.message))));
// TICKS-6
