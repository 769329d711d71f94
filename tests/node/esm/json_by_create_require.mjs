import { createRequire } from 'module';
const require = createRequire(import.meta.url);
console.log(require('./fixtures/data.json'), require('./fixtures/cjs_object.cjs').a);
