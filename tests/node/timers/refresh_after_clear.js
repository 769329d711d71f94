const timer = setTimeout(() => console.log('run'), 2);
clearTimeout(timer);
console.log(timer.refresh() === timer);
setTimeout(() => console.log('end'), 30);
