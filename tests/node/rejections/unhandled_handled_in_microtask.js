const p = Promise.reject(new Error('handled in time'));
Promise.resolve().then(() => {}).then(() => {}).then(() => p.catch((e) => console.log(e.message)));
