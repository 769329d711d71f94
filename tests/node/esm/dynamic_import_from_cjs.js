import('./fixtures/live.mjs').then((ns) => {
  console.log(ns.count, Object.prototype.toString.call(ns), ns[Symbol.toStringTag]);
  console.log(ns);
});
