const fs = require('fs');
for (const f of [() => fs.readFile('x'), () => fs.readFile(1.5, () => {}), () => fs.readFile({}, () => {}), () => fs.stat('x', 'not a function')]) {
  try {
    f();
    console.log('accepted');
  } catch (e) {
    console.log(e.name, e.code, e.message.split('\n')[0]);
  }
}
// ASYNC-2
