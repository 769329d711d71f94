'use strict';
// Arguments: the folder with the files (the runner writes them), "nowhere" or "file". One operation is 64 KiB.
const fs = require('node:fs');
const { pipeline } = require('node:stream');
const { begin } = require('./measure.js');

const [folder, target] = process.argv.slice(2);
const size = 268435456;
const end = begin(size / 65536);
const source = fs.createReadStream(`${folder}/${size}`);
if (target === 'nowhere') {
  let read = 0;
  source.on('data', (chunk) => {
    read += chunk.length;
  });
  source.on('end', () => {
    if (read !== size) throw new Error(`${read} bytes`);
    end();
  });
} else {
  const copy = `${folder}/copy`;
  pipeline(source, fs.createWriteStream(copy), (error) => {
    if (error) throw error;
    end();
    fs.rmSync(copy);
  });
}
