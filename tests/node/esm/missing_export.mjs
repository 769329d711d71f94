import { absent } from './fixtures/live.mjs';
console.log(absent);
