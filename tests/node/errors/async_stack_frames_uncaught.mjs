async function a() { await null; throw new Error('async'); }
async function b() { await a(); }
await b();
