export const x = 1;
console.log('a module', this);
