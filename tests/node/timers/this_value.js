const immediate = setImmediate(function() {
  console.log('immediate', this === immediate);
  const timer = setTimeout(function() {
    console.log('timeout', this === timer);
    const interval = setInterval(function() { console.log('interval', this === interval); clearInterval(this); }, 1);
  }, 1);
});
