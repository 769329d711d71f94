import fs, { readFileSync } from 'fs';
import { syncBuiltinESMExports } from 'module';
const original = readFileSync;
fs.readFileSync = () => 'replaced';
console.log(readFileSync === original);
syncBuiltinESMExports();
console.log(readFileSync === original, readFileSync());
