// rondo-test: scratch
// Opening a FIFO for writing succeeds when it was opened for reading, even if only for a moment.

const { execFileSync } = require('child_process');
const fs = require('fs');

const { O_NONBLOCK, O_RDONLY } = fs.constants;

async function meet(name, open) {
  execFileSync('mkfifo', [name]);
  const visits = setInterval(() => fs.closeSync(fs.openSync(name, O_RDONLY | O_NONBLOCK)), 50);
  try {
    return await open(name);
  } finally {
    clearInterval(visits);
  }
}

(async () => {
  const file = await meet('one', (name) => fs.promises.open(name, 'w'));
  await file.write('x').catch((error) => console.log(error.code, error.syscall));
  await file.close();
})();
