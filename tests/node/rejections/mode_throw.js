// rondo-test: option=--unhandled-rejections=throw
process.on('uncaughtException', (e, origin) => console.log(e.message, origin));
Promise.reject(new Error('x'));
