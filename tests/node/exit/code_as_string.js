process.exit('12');
