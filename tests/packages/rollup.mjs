import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rollup } from '@rollup/wasm-node';

mkdirSync('src');
writeFileSync('src/main.js', `import { used } from './lib.js';\nimport value, { version } from 'virtual:value';\n
export async function run() { const { later } = await import('./later.js'); return [used(), value, version, later]; }\n`);
writeFileSync('src/lib.js', 'export function used() { return 1; }\nexport function unused() { return 2; }\n');
writeFileSync('src/later.js', 'export const later = "later"; export default class {}\n');
const virtual = {
  name: 'virtual',
  resolveId: (id) => (id === 'virtual:value' ? id : null),
  load: (id) => (id === 'virtual:value' ? 'export default 42; export const version = "1"' : null),
  transform: (code) => ({ code: code.replace('42', '43'), map: null }),
};

const bundle = await rollup({ input: 'src/main.js', plugins: [virtual] });
console.log(bundle.watchFiles.map((name) => name.split('/').pop()).sort());
for (const format of ['es', 'cjs']) {
  const { output } = await bundle.write({ dir: `out-${format}`, format, sourcemap: true });
  for (const chunk of output) if (chunk.type === 'chunk') console.log(chunk.fileName, chunk.exports, chunk.code);
  console.log(readdirSync(`out-${format}`).sort());
}
await bundle.close();
writeFileSync('out-es/package.json', '{ "type": "module" }');
console.log(await (await import(`${process.cwd()}/out-es/main.js`)).run());
console.log(JSON.parse(readFileSync('out-es/main.js.map', 'utf8')).sources);

writeFileSync('src/wrong.js', 'import { missing } from "./lib.js"; missing(');
await rollup({ input: 'src/wrong.js' }).catch((error) => console.log(error.code, error.message.split('\n')[0].replace(process.cwd(), '')));
