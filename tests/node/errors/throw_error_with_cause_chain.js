const a = new Error('a');
const b = new Error('b', { cause: a });
throw new Error('c', { cause: b });
