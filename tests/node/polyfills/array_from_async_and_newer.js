// What Node v20 does not have is not there either.
console.log(typeof Array.fromAsync, typeof Object.groupBy, typeof Promise.withResolvers, typeof Set.prototype.union, typeof Iterator);
