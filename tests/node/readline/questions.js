// question(), with a callback, a promise and a signal.
const { PassThrough } = require('stream');
const readline = require('readline');
const promises = require('readline/promises');
const { promisify } = require('util');

function open(create) {
  const output = new PassThrough().setEncoding('utf8');
  const rl = create({ input: new PassThrough(), output });
  return { rl, input: rl.input, shown: () => output.read() };
}
const attempt = (f) => { try { console.log(f()); } catch (e) { console.log(e.name, e.code, e.message); } };

(async () => {
  {
    const { rl, input, shown } = open(readline.createInterface);
    rl.on('line', (line) => console.log('line', line));
    await new Promise((resolve) => {
      rl.question('Name? ', (name) => { console.log('name', name); resolve(); });
      rl.question('ignored', () => console.log('never'));
      input.write('Ada\nnot an answer\n');
    });
    console.log(JSON.stringify(shown()), rl.getPrompt());

    const ask = promisify(rl.question).bind(rl);
    const answer = ask('Age? ');
    input.write('36\n');
    console.log(await answer);

    const controller = new AbortController();
    const never = ask('Never? ', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await never.catch((e) => console.log(e.name, e.code, e.message, e.cause.message));
    await ask('x', { signal: AbortSignal.abort() }).catch((e) => console.log(e.name, e.code));
    rl.question('Quiet', { signal: AbortSignal.abort() }, () => console.log('never'));
    attempt(() => rl.question('x', { signal: 'x' }, () => {}));
    console.log(JSON.stringify(shown()), rl.getPrompt());
    rl.close();
    attempt(() => rl.question('Late? ', () => {}));
    await ask('Late? ').catch((e) => console.log(e.code, e.message));
  }
  {
    const { rl, input, shown } = open(promises.createInterface);
    const answer = rl.question('One? ');
    input.write('1\n');
    console.log(await answer, JSON.stringify(shown()));
    const controller = new AbortController();
    const never = rl.question('Two? ', { signal: controller.signal });
    controller.abort('why');
    await never.catch((e) => console.log(e.name, e.code, e.cause));
    await rl.question('x', { signal: AbortSignal.abort() }).catch((e) => console.log(e.name, e.cause.name));
    await rl.question('x', { signal: {} }).catch((e) => console.log(e.code, e.message));
    rl.close();
    await rl.question('Late? ').catch((e) => console.log(e.code, e.message));
  }
  {
    const controller = new AbortController();
    const { rl } = open((options) => readline.createInterface({ ...options, signal: controller.signal }));
    rl.on('close', () => console.log('closed by the signal'));
    controller.abort();
    console.log(rl.closed);
  }
})();
