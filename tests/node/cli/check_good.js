// rondo-test: option=-c
console.log('never run');
