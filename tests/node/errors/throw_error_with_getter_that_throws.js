throw Object.defineProperty(new Error('outer'), 'bad', { enumerable: true, get() { throw new Error('inner'); } });
