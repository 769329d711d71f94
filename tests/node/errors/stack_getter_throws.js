const error = new Error('reported');
Object.defineProperty(error, 'stack', { get() { throw new Error('no'); } });
throw error;
