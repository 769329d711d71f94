// rondo-test: option=--unhandled-rejections=warn
process.on('unhandledRejection', (reason) => console.log('event', reason));
Promise.reject('x');
