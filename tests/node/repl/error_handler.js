// The option handleError: what becomes of the errors of commands.
const repl = require('repl');
const { PassThrough } = require('stream');

async function session(handleError, command) {
  const input = new PassThrough();
  const output = new PassThrough();
  let sent = '';
  output.on('data', (data) => { sent += data; });
  repl.start({ input, output, handleError: handleError && ((error) => {
    console.log('asked', error.message);
    return handleError;
  }) });
  input.write(command);
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(handleError, JSON.stringify(command), JSON.stringify(sent.replace(/\n {4}at .*/g, '')));
  input.end();
}

process.on('uncaughtException', (error) => console.log('uncaught', error.code, error.message));
(async () => {
  for (const state of [undefined, 'ignore', 'print', 'unhandled']) {
    await session(state, 'throw new Error("now"); 1\n2\n');
    await session(state, 'setImmediate(() => { throw new Error("later") }), 0\n3\n');
    await session(state, 'Promise.reject(new Error("rejected")), 0\n4\n');
    await session(state, 'nonsense(\n}\n5\n');
  }
  try {
    repl.start({ input: new PassThrough(), output: new PassThrough(), domain: {} });
  } catch (error) {
    console.log(error.code, error.message);
  }
})();
