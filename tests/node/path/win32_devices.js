'use strict';
// Names of devices in any part of what is joined.
const { win32 } = require('node:path');

const parts = ['CON:', 'a/CON:..', '..\\x', 'COM1:..\\..\\b', 'nul', 'NUL:/x', 'con:a', 'LPT\u00b9:z', 'COM0:', '\\\\server\\share', 'C:', 'x:CON:'];
for (const first of parts) {
  for (const second of parts) console.log(first, second, win32.join(first, second), win32.join('a', first, '..', second));
}

// Of a device whose name is reserved, normalize() keeps the name.
for (const root of ['\\\\.\\', '\\\\?\\', '//./', '//?/']) {
  for (const name of ['CON:', 'con:', 'COM1:', 'COM0:', 'CON', 'PHYSICALDRIVE0:', 'C:']) {
    for (const rest of ['', '\\', '\\.\\a\\..\\', '\\..\\..\\b', 'a\\..']) console.log(root + name + rest, win32.normalize(root + name + rest));
  }
}
