console.log(require('conditional'));
console.log(require('conditional/sub'));
import('conditional').then((m) => console.log(m.default));
