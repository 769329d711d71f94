require('vm').runInThisContext('\n\n  throw new Error("from vm");', { filename: 'virtual.js' });
