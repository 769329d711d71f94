console.log('never');
const = 1;
