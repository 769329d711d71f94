// rondo-test: option=-Z
console.log('never');
