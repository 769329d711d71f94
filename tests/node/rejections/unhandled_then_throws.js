Promise.resolve().then(function onFulfilled() { throw new Error('in then'); });
