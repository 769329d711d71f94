// Too deep a recursion is an error that a Worker can catch.
const { Worker } = require('node:worker_threads');
new Worker(`
  let depth = 0;
  (function f() { depth++; try { f() } catch (error) { if (depth) console.log(error.name, depth > 1000); depth = 0 } })();
`, { eval: true, resourceLimits: { stackSizeMb: 1 } });
