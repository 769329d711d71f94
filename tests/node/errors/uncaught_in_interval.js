setInterval(() => { throw new Error('in interval'); }, 1);
