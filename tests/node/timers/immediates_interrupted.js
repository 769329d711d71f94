// setImmediate() that ends in the middle, because the stack is full, node:vm's time is up or a built-in was replaced: those that were
// added before still run.
'use strict';
const vm = require('vm');

let ran = 0;
const count = () => { ran++; };

function fillStack() {
  try {
    fillStack();
  } catch {
    setImmediate(count);
  }
}

setImmediate(() => {
  for (let i = 0; i < 512; i++) setImmediate(count);
  try {
    fillStack();
  } catch {
    // Where there is no room for setImmediate() either.
  }
  setTimeout(() => {
    console.log('after a full stack', ran >= 512);
    interrupted();
  }, 10);
});

function interrupted() {
  for (let i = 0; i < 20; i++) {
    try {
      vm.runInNewContext('for (;;) add(count)', { add: setImmediate, count }, { timeout: 2 });
    } catch (error) {
      if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') console.log(error);
    }
  }
  ran = 0;
  setTimeout(() => {
    console.log('after a time limit', ran > 0);
    replaced();
  }, 10);
}

function replaced() {
  const { fill } = Array.prototype;
  Array.prototype.fill = () => { throw new Error('fill'); };
  ran = 0;
  for (let i = 0; i < 2000; i++) setImmediate(count);
  Array.prototype.fill = fill;
  setTimeout(() => console.log('with a replaced fill()', ran), 10);
}
