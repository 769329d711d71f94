// rondo-test: scratch
import fs from 'fs';
fs.mkdirSync('real');
fs.writeFileSync('real/a.mjs', 'import b from "./b.mjs"; export default [b, import.meta.url.endsWith("/real/a.mjs")];');
fs.writeFileSync('real/b.mjs', 'export default "b beside the real file";');
fs.symlinkSync('real/a.mjs', 'link.mjs');
console.log((await import(process.cwd() + '/link.mjs')).default);
