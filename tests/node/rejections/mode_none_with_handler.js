// rondo-test: option=--unhandled-rejections=none
process.on('unhandledRejection', (reason) => console.log('event', reason));
Promise.reject('x');
