// rondo-test: option=--unhandled-rejections=strict
process.on('unhandledRejection', (reason) => console.log('event', reason.message));
process.on('uncaughtException', (e, origin) => console.log('exception', e.message, origin));
Promise.reject(new Error('x'));
