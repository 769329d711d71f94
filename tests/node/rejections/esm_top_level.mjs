Promise.reject(new Error('in a module'));
