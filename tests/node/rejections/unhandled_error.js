Promise.reject(new Error('nobody handles this'));
setTimeout(() => console.log('never'), 100);
