// rondo-test: scratch
import fs from 'fs';
import { pathToFileURL } from 'url';
for (const name of ['with space.mjs', 'hash#tag.mjs', 'percent%41.mjs', 'question?.mjs', 'ünï.mjs']) {
  fs.writeFileSync(name, 'export default import.meta.url.split("/").pop();');
  console.log((await import(pathToFileURL(name))).default);
}
