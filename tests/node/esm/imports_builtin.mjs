import fs, { readFileSync } from 'fs';
import * as path from 'node:path';
import events, { EventEmitter, once } from 'events';
console.log(fs.readFileSync === readFileSync, typeof path.join, path.default === path.posix, events === EventEmitter, typeof once);
