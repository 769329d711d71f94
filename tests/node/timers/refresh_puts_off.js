const start = Date.now();
const timer = setTimeout(() => console.log('refreshed', Date.now() - start >= 499), 400);
setTimeout(() => timer.refresh(), 100);
