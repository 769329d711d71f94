// rondo-test: option=--unhandled-rejections=warn
const p = Promise.reject(new Error('x'));
setTimeout(() => p.catch(() => console.log('caught')), 5);
