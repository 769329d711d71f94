Promise.reject(new Error('nobody handles this'));
setTimeout(() => console.log('never'), 100);
// THROW-5
