async function bad() { await null; throw new Error('in all'); }
async function all() { await Promise.all([1, bad()]); }
all().catch((e) => console.log(e.stack));
