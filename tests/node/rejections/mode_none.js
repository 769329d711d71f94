// rondo-test: option=--unhandled-rejections=none
Promise.reject(new Error('x'));
process.on('exit', (code) => console.log('exit', code));
