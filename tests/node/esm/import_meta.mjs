import path from 'path';
import { fileURLToPath } from 'url';
console.log(path.basename(import.meta.url), import.meta.filename === fileURLToPath(import.meta.url), import.meta.dirname === path.dirname(import.meta.filename));
console.log(Object.keys(import.meta).sort(), Object.getPrototypeOf(import.meta));
