// rondo-test: option=-r option=os
console.log('main');
