// rondo-test: option=--no-warnings
'use strict';
// What a REPL in a program makes of odd commands: half an object, a domain, a built-in that is gone, refused answers of handleError.
const { PassThrough } = require('node:stream');
const repl = require('node:repl');

function run(lines, options) {
  return new Promise((resolve) => {
    const input = new PassThrough();
    const output = new PassThrough();
    let text = '';
    output.on('data', (chunk) => { text += chunk; });
    const server = repl.start({ input, output, prompt: '> ', terminal: false, useGlobal: false, ...options });
    server.on('exit', () => resolve(text.replace(/\n {4}at .*/g, '')));
    input.end(lines.map((line) => `${line}\n`).join(''));
  });
}

(async () => {
  console.log(JSON.stringify(await run(['{}),({}', '}'])));
  console.log(JSON.stringify(await run(['{ a: 1 }', '{ a: 1 };', '{ a: ', '1 }', '{a:1}+1', '{', '}'])));
  console.log(JSON.stringify(await run([
    'require("domain").create().on("error", (error) => console.log("domain", error.message)).run(() => { throw new Error("thrown") })', '1 + 1',
  ])));
  console.log(JSON.stringify(await run(['[1].map(String)', 'throw new Error("x")', '2'], { handleError: () => 'ignore' })));
  for (const line of ['this.parseI', 'globalThis.encodeURIC', 'this.noSuch']) {
    const server = repl.start({ input: new PassThrough(), output: new PassThrough(), terminal: false });
    server.complete(line, (error, [list, completed]) => console.log(error, list, completed));
    server.close();
  }
  const server = repl.start({ input: new PassThrough(), output: new PassThrough(), terminal: false });
  server.context.tree = { branch: { leaf: 1, 'other leaf': 2 } };
  server.context.key = 'branch';
  for (const line of ['tree[key].le', 'tree[`branch`].le', "tree['branch'].le", 'tree[nothing].le', '(1).toEx', '1..toEx',
    'tree["bra" + "nch"].le', 'tree[true ? key : 0].le', 'tree[[key][0]].le', 'tree[`bra${"nch"}`]["leaf"].toFi']) {
    server.complete(line, (error, [list, completed]) => console.log(error, list, completed));
  }
  server.close();
})();
