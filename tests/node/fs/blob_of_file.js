// rondo-test: scratch
'use strict';
// fs.openAsBlob(), and the folders of mkdtempDisposable().
const fs = require('fs');

async function main() {
  fs.writeFileSync('file', 'abcdefghij');
  const blob = await fs.openAsBlob('file', { type: 'text/plain' });
  console.log(blob, await blob.text(), (await blob.slice(2, 5).bytes()).length, await blob.slice(-3).text());
  console.log(await new Blob(['<', blob, '>']).text());
  console.log(fs.openAsBlobSync('file').size);
  try {
    structuredClone(blob);
  } catch (error) {
    console.log(error.code, error.message);
  }
  fs.writeFileSync('file', 'shorter');
  await blob.text().catch((error) => console.log(error.name, error.message));
  for (const args of [[1], ['file', 1], ['file', { type: 1 }]]) {
    try {
      fs.openAsBlob(...args);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }

  const folder = fs.mkdtempDisposableSync('a-');
  console.log(Object.keys(folder), fs.statSync(folder.path).isDirectory());
  fs.writeFileSync(`${folder.path}/inside`, '');
  folder[Symbol.dispose]();
  console.log(fs.existsSync(folder.path));
  {
    await using other = await fs.promises.mkdtempDisposable('b-');
    console.log(Object.keys(other), Object.getPrototypeOf(other), fs.existsSync(other.path));
  }
  console.log(fs.readdirSync('.'));
  {
    using dir = fs.opendirSync('.');
    console.log(dir.readSync().name);
  }
}
main();
