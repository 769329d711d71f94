Promise.reject(new Error('x')).finally(() => console.log('finally')).catch((e) => console.log('catch', e.message));
Promise.resolve('v').finally(() => 'ignored').then((v) => console.log(v));
Promise.resolve().then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3));
