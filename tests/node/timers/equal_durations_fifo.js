for (let i = 0; i < 5; i++) setTimeout(console.log, 3, 'timer', i);
// TIMERS-3
