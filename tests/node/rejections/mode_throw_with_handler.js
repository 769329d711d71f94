// rondo-test: option=--unhandled-rejections=throw
process.on('unhandledRejection', (reason) => console.log('event', reason.message));
Promise.reject(new Error('x'));
