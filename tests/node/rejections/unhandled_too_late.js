const p = Promise.reject(new Error('handled too late'));
setImmediate(() => p.catch((e) => console.log('never', e.message)));
