// rondo-test: option=--unhandled-rejections=warn-with-error-code
Promise.reject(new Error('x'));
process.on('exit', (code) => console.log('exit', code));
