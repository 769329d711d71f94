process.on('unhandledRejection', (reason) => { throw new Error(`in handler of ${reason}`); });
process.on('exit', (code) => console.log('exit', code));
Promise.reject('x');
