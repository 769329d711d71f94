const timer = setTimeout(function() { console.log('timeout', this === timer); }, 100);
const immediate = setImmediate(function() { console.log('immediate', this === immediate); });
const interval = setInterval(function() { console.log('interval', this === interval); clearInterval(this); }, 300);
