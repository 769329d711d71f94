// rondo-test: no-file option=--input-type=module-typescript option=-e option={source}
import { basename } from 'node:path';
const name: string = basename('/a/b');
console.log(name, typeof require);
