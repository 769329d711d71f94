process.on('unhandledRejection', (reason) => console.log('unhandled', reason));
process.on('rejectionHandled', (promise) => console.log('handled', promise === p));
const p = Promise.reject('late');
setTimeout(() => p.catch((reason) => console.log('caught', reason)), 5);
