async function* gen() { yield 1; throw new Error('in generator'); }
async function consume() { for await (const _ of gen()); }
consume().catch((e) => console.log(e.stack));
