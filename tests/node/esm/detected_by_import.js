import { sep } from 'path';
console.log(sep, typeof require, typeof import.meta.url);
