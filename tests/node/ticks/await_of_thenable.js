const thenable = { then(resolve) { console.log('then'); process.nextTick(() => { console.log('tick'); resolve('value'); }); } };
(async () => console.log(await thenable))();
Promise.resolve().then(() => console.log('m1')).then(() => console.log('m2'));
console.log('main');
