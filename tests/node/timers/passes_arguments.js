setImmediate((...args) => {
  console.log('immediate', args);
  setTimeout((...args) => {
    console.log('timeout', args);
    const interval = setInterval((...args) => { console.log('interval', args); clearInterval(interval); }, 1, 'a', 2);
  }, 1, 'a', 2, null);
}, 'a', 2, undefined);
