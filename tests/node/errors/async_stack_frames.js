async function a() { await null; throw new Error('async'); }
async function b() { await a(); }
async function c() { await b(); }
c().catch((e) => console.log(e.stack));
