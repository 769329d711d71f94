console.log('before');
if (module) return;
console.log('never');
