// rondo-test: option=--expose-gc scratch
// A FileHandle that is not closed before it is collected is an error.
const fs = require('fs');
fs.writeFileSync('a', '');
process.on('uncaughtException', (error) => {
  console.log(error.code, error.message.replace(/\d+/, 'N'), error.stack.split('\n').length);
});
process.on('warning', ({ name, message }) => console.log(name, message));
async function leave(path) {
  await fs.promises.open(path);
}
(async () => {
  for (const path of ['a', Buffer.from('a')]) {
    await leave(path);
    for (let i = 0; i < 5; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  const closed = await fs.promises.open('a');
  await closed.close();
})();
