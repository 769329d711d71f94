// rondo-test: option=--no-warnings env=NODE_REPL_HISTORY=
'use strict';
// What a terminal gets while the user types: the value that the line would have, and what completion would add. What would have
// an effect is not evaluated, and nothing goes on for ever.
const repl = require('node:repl');
const { PassThrough, Writable } = require('node:stream');

const kKeys = [
  '1+1', '\r', 'let abc={d:1,e:[1,2],get f(){globalThis.got=true;return 9}}', '\r', 'abc', '.d', '\r', 'ab', '\x1b[C', '\r', 'Math.PI', '\r',
  'process.versi', '\x15', 'x=5', '\x15', '[1,2].map(x=>x*2)', '\r', 'while(true);', '\x15', '{a:1}', '\r', '"text"', '\r', 'nosuch', '\r',
  'throw new Error("q")', '\x15', 'null.x', '\x15', 'undefined', '\r', 'Symbol("s")', '\x15', '10n**20n', '\x15', '-0', '\x15',
  `"${'x'.repeat(80)}"`, '\x15', 'new Map([[1,{a:{b:{c:1}}}]])', '\x15', 'Promise.resolve(4)', '\x15', '(function foo(){})', '\x15',
  'abc.d=7', '\x15', 'abc.d', '\x1b[D', '\x1b[D', '\x15', 'abc.e.push(3)', '\x15', 'abc.e.length', '\r', 'abc.f', '\x15', 'got', '\x15',
  'parseIn', '\x1b[D', '\x15', '"a\\nb"', '\x15', 'process.exit(3)', '\x15', '.he', '\x15', '`${1', '\x15', 'delete abc.d', '\x15', 'abc.d', '\r',
  '[1,2,3].sort()', '\x15', 'JSON.stringify({a:[1]})', '\x15', '"\u4e2d\u6587".repeat(20)', '\x15', 'new Date(0).getTime()', '\x15',
];

async function type({ columns, ...options }) {
  const input = new PassThrough();
  let text = '';
  const output = new Writable({ write(chunk, encoding, callback) { text += chunk; callback(); } });
  Object.assign(output, { columns, rows: 20 });
  const server = repl.start({ input, output, terminal: true, prompt: '> ', ...options });
  for (const key of kKeys) {
    input.write(key);
    for (let i = 0; i < 3; i++) await new Promise(setImmediate);
  }
  server.close();
  await new Promise((resolve) => server.once('exit', resolve));
  // One line for each key, about.
  console.log(JSON.stringify(text).replaceAll('\\u001b[1G', '\n'));
}

(async () => {
  await type({ columns: 60 });
  await type({ columns: 30, useGlobal: true, replMode: repl.REPL_MODE_STRICT });
  await type({ columns: 60, useColors: true, preview: true, ignoreUndefined: true });
  await type({ columns: 60, preview: false });
  await type({ columns: 60, eval: (code, context, file, callback) => callback(null, code.length) });
})();
