// Returning a promise from then costs two more microtasks than returning a value.
Promise.resolve().then(() => Promise.resolve('p')).then(console.log);
Promise.resolve().then(() => 1).then(() => console.log(2)).then(() => console.log(3)).then(() => console.log(4)).then(() => console.log(5));
