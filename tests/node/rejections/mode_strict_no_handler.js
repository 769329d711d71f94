// rondo-test: option=--unhandled-rejections=strict
process.on('unhandledRejection', () => console.log('never'));
Promise.reject(new Error('x'));
