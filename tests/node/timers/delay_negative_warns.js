process.on('warning', (w) => console.log('warning', w.name, w.message));
setTimeout(() => console.log('negative'), -1);
setTimeout(() => console.log('NaN'), NaN);
// TIMERS-2
