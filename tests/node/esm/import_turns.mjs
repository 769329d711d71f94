// How many turns of promises lie between import(), the module's code, and the end.
let turns = 0;
let counting = false;
globalThis.mark = (text) => console.log(text, turns);

async function count() {
  while (counting) {
    await undefined;
    ++turns;
  }
}

async function measure(name, specifier) {
  turns = 0;
  counting = true;
  count();
  try {
    await import(specifier);
    console.log(name, 'end', turns);
  } catch ({ code, name: kind }) {
    console.log(name, code ?? kind, turns);
  }
  counting = false;
  await new Promise(setImmediate);
}

await measure('one', 'data:text/javascript,mark("one runs")');
await measure('again', 'data:text/javascript,mark("one runs")');
await measure('graph', 'data:text/javascript,import "data:text/javascript,import %22node:os%22"; mark("graph runs")');
await measure('builtin', 'node:os');
await measure('missing', './missing.mjs');
await measure('syntax', 'data:text/javascript,let a = ;');
await measure('throws', 'data:text/javascript,throw new RangeError()');
await measure('awaits', 'data:text/javascript,mark("before"); await 1; mark("after")');
