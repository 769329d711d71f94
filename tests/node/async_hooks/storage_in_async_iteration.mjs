import { AsyncLocalStorage } from 'async_hooks';
const s = new AsyncLocalStorage();
async function* numbers() { for (let i = 0; i < 2; i++) { await null; yield [i, s.getStore()]; } }
await s.run('store', async () => { for await (const x of numbers()) console.log(x, s.getStore()); });
await Promise.all([1, 2].map((id) => s.run(id, async () => { await new Promise((r) => setTimeout(r, 400 * (3 - id))); console.log(id, s.getStore()); })));
console.log(s.getStore());
