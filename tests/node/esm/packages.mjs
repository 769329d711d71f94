import pkg from 'esm-pkg';
import { part } from 'esm-pkg/sub/part';
import { where } from 'cjs-pkg';
import direct from 'cjs-pkg/lib/main.js';
console.log(pkg, part, where, direct);
