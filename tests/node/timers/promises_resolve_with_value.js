const { setTimeout: sleep, setImmediate: turn } = require('timers/promises');
(async () => {
  console.log(await sleep(1, 'value'));
  console.log(await turn('immediate value'));
  console.log(await sleep());
})();
