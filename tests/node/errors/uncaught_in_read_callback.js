require('fs').readFile(__filename, () => { throw new Error('in read callback'); });
