setTimeout((...args) => console.log('timeout', args), 100, 'a', 2, null);
setImmediate((...args) => console.log('immediate', args), 'a', 2, undefined);
const interval = setInterval((...args) => { console.log('interval', args); clearInterval(interval); }, 300, 'a', 2);
