import * as ns from './fixtures/live.mjs';
console.log(Object.isSealed(ns), Object.isFrozen(ns), Object.getPrototypeOf(ns), Reflect.ownKeys(ns));
console.log(Reflect.set(ns, 'count', 1), Reflect.deleteProperty(ns, 'count'), 'count' in ns, 'nope' in ns);
