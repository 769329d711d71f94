import cjs from './fixtures/cjs_named.cjs';
import { named, other } from './fixtures/cjs_named.cjs';
import * as all from './fixtures/cjs_named.cjs';
console.log(cjs, named, other, Object.keys(all));
