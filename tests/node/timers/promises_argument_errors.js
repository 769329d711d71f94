const { setTimeout: sleep } = require('timers/promises');
(async () => {
  for (const args of [[1, null, 1], [1, null, { signal: 1 }], [1, null, { ref: 1 }]]) {
    try {
      await sleep(...args);
    } catch (e) {
      console.log(e.name, e.code, e.message);
    }
  }
})();
