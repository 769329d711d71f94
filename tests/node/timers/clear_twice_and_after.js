const timer = setTimeout(() => {
  console.log('runs once');
  clearTimeout(timer);
  clearTimeout(timer);
}, 1);
setTimeout(() => { clearTimeout(timer); console.log('cleared after it ran'); }, 5);
