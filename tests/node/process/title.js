process.title = 'renamed';
console.log(process.title);
