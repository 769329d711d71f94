'use strict';
// Arguments: the folder with the files (the runner writes them), "fs" or "fs.promises", the function, the size of
// the file, which is its name too, and how many calls are in progress at a time.
const fs = require('node:fs');
const { begin } = require('./measure.js');

const [folder, api, work, size, together] = process.argv.slice(2);
const file = `${folder}/${size}`;
const bytes = Buffer.alloc(Number(size), 'x');
const n = Number(size) > 1e5 ? 500 : work === 'writeFile' ? 4000 : 20000;

const check = {
  readFile: (data) => data.length === bytes.length,
  stat: (stats) => stats.size === bytes.length,
  writeFile: () => true,
}[work];

// Each concurrent call has a file of its own to write to.
function argumentsFor(place) {
  return work === 'writeFile' ? [`${folder}/written_${place}`, bytes] : [file];
}

function callbacks(total, done) {
  const call = fs[work];
  let begun = 0;
  let ended = 0;
  function next(place) {
    begun++;
    call(...argumentsFor(place), (error, result) => {
      if (error) throw error;
      if (!check(result)) throw new Error('wrong result');
      if (++ended === total) done();
      else if (begun < total) next(place);
    });
  }
  for (let place = 0; place < Number(together); place++) next(place);
}

async function promises(total, done) {
  const call = fs.promises[work];
  let begun = 0;
  async function take(place) {
    while (begun < total) {
      begun++;
      if (!check(await call(...argumentsFor(place)))) throw new Error('wrong result');
    }
  }
  await Promise.all(Array.from({ length: Number(together) }, (_, place) => take(place)));
  done();
}

const run = api === 'fs' ? callbacks : promises;
run(n / 5, () => run(n, begin(n)));
