// A package of the same name is not found unless it ends with a slash.
console.log(require('events') === require('node:events'), require('events/'));
