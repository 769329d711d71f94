const later = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
Promise.all([later(2, 'a'), 'b', Promise.resolve('c')]).then((v) => console.log('all', v));
Promise.race([later(1000, 'late'), Promise.resolve('first')]).then((v) => { console.log('race', v); });
Promise.any([Promise.reject(new Error('no')), 'yes']).then((v) => console.log('any', v));
Promise.allSettled([Promise.reject(1), 2]).then((v) => console.log('allSettled', v));
