import { absent } from './fixtures/cjs_object.cjs';
console.log(absent);
