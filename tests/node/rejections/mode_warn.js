// rondo-test: option=--unhandled-rejections=warn
Promise.reject(new Error('x'));
process.on('exit', (code) => console.log('exit', code));
// THROW-5
