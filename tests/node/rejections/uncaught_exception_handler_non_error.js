process.on('uncaughtException', (error, origin) => console.log(error.name, error.code, error.message, origin));
Promise.reject('a string');
Promise.reject({ a: 1 });
Promise.reject(undefined);
