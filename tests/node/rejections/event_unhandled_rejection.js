process.on('unhandledRejection', (reason, promise) => console.log('unhandled', reason.message, promise instanceof Promise));
Promise.reject(new Error('a'));
Promise.reject(new Error('b'));
setTimeout(() => console.log('goes on'), 5);
// THROW-5
