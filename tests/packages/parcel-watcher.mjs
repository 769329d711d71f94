// A native addon of Node-API: threads of its own that call back through thread-safe functions, promises, async work.
import assert from 'node:assert';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import watcher from '@parcel/watcher';

mkdirSync('watched');
const folder = realpathSync('watched');
const events = [];
let wake;
const subscription = await watcher.subscribe(folder, (error, batch) => {
  assert.ifError(error);
  events.push(...batch.map(({ type, path }) => `${type} ${path.slice(folder.length)}`));
  wake?.();
}, { ignore: ['*.log'] });

async function until(wanted) {
  while (!events.includes(wanted)) await new Promise((resolve) => { wake = resolve; });
  console.log(wanted);
}

writeFileSync('watched/ignored.log', '');
writeFileSync('watched/a', 'a');
await until('create /a');
writeFileSync('watched/a', 'more');
await until('update /a');
await watcher.writeSnapshot(folder, 'snapshot');
rmSync('watched/a');
await until('delete /a');
await subscription.unsubscribe();

const since = await watcher.getEventsSince(folder, 'snapshot');
console.log(since.map(({ type, path }) => `${type} ${path.slice(folder.length)}`).sort());
console.log(events.some((event) => event.includes('log')));
console.log(await watcher.subscribe('/nowhere/at/all', () => {}).catch((error) => error.message));
