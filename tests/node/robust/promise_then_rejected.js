Promise.prototype.then = () => { throw new Error('never called by the runtime'); };
Promise.reject(new Error('reported'));
