// rondo-test: scratch
// "main" may be an absolute path, for import as for require().
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const folder = process.cwd();
fs.writeFileSync('elsewhere.cjs', 'module.exports = "elsewhere";');
for (const [name, main] of [['there', 'elsewhere.cjs'], ['ending', 'elsewhere'], ['missing', 'nothing']]) {
  fs.mkdirSync(`node_modules/${name}`, { recursive: true });
  fs.writeFileSync(`node_modules/${name}/package.json`, JSON.stringify({ main: path.join(folder, main) }));
}
const entry = path.join(folder, 'entry.mjs');
fs.writeFileSync(entry, 'export const load = (name) => import(name); export const find = import.meta.resolve;');
const { load, find } = await import(pathToFileURL(entry));
const require = createRequire(entry);
const shown = (text) => text.replaceAll(folder, '<folder>');
for (const attempt of [load, find, require]) {
  for (const name of ['there', 'ending', 'missing']) {
    try {
      const result = await attempt(name);
      console.log(name, typeof result === 'string' ? shown(result) : result.default);
    } catch (error) {
      console.log(name, error.code, shown(error.message));
    }
  }
}
