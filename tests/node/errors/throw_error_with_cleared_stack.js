const e = new Error('no stack');
e.stack = undefined;
throw e;
