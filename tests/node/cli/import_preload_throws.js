// rondo-test: option=--import option="data:text/javascript,throw new Error('in preload')"
console.log('never');
