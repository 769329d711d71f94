// rondo-test: option=--unhandled-rejections=nonsense
console.log('never');
