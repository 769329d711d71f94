const timer = setTimeout(() => {}, 1);
const immediate = setImmediate(() => {});
console.log(timer.constructor.name, immediate.constructor.name);
console.log(Object.getOwnPropertyNames(Object.getPrototypeOf(timer)).filter((name) => name[0] !== '_').sort());
console.log(Object.getOwnPropertyNames(Object.getPrototypeOf(immediate)).filter((name) => name[0] !== '_').sort());
clearTimeout(timer);
clearImmediate(immediate);
