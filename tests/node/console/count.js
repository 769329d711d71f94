console.count();
console.count('a');
console.count();
console.countReset();
console.count();
console.countReset('nope');
console.count(undefined);
console.count(5);
