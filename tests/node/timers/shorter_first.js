setTimeout(() => console.log('300'), 300);
setTimeout(() => console.log('100'), 100);
setTimeout(() => console.log('200'), 200);
