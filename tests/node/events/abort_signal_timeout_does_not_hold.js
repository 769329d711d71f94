AbortSignal.timeout(100000).onabort = () => console.log('never');
console.log('ends at once');
