const start = Date.now();
setTimeout(() => timer.refresh(), 100);
const timer = setTimeout(() => console.log('refreshed', Date.now() - start >= 499), 400);
