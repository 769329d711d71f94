setTimeout(() => console.log('1200'), 1200);
setTimeout(() => console.log('400'), 400);
setTimeout(() => console.log('800'), 800);
