Promise.any([Promise.reject(new Error('a')), Promise.reject('b')]);
