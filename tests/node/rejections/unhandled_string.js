Promise.reject('a string');
