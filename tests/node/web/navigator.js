'use strict';
// navigator describes what the program runs on, and cannot be assigned.
console.log(navigator, Object.keys(Navigator.prototype));
console.log(navigator.userAgent, navigator.platform, navigator.language, navigator.languages);
console.log(Object.isFrozen(navigator.languages), navigator.hardwareConcurrency === require('os').availableParallelism());
for (const make of [() => new Navigator(), () => Navigator.prototype.userAgent, () => Navigator.prototype.language,
  () => { navigator = 1; }]) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.code, error.message.replace(/#\w+/, '#field'));
  }
}
