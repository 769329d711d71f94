// What node:repl offers.
const repl = require('repl');
const { PassThrough } = require('stream');

console.log(Object.keys(repl).sort(), repl.start.length, repl.REPLServer.name);
console.log(typeof repl.REPL_MODE_SLOPPY, String(repl.REPL_MODE_STRICT), repl.builtinModules.includes('fs'));
console.log(repl.writer({ a: [1] }), repl.writer.options.showProxy, repl.isValidSyntax('a b'), repl.isValidSyntax('{ a: 1 }'));
const error = new repl.Recoverable(new SyntaxError('more'));
console.log(error instanceof SyntaxError, error.err.message);
try { repl.start({ breakEvalOnSigint: true, eval() {} }); } catch (e) { console.log(e.name, e.code, e.message); }

const streams = { input: new PassThrough(), output: new PassThrough() };
const server = repl.start({ ...streams, prompt: 'one> ' });
console.log(server instanceof repl.REPLServer, server instanceof require('readline').Interface, server.terminal, server.useColors);
console.log(server.useGlobal, server.ignoreUndefined, server.editorMode, server.getPrompt(), server.context !== globalThis);
console.log(Object.keys(server.commands), server.last, server.lines.length);
server.setPrompt('two> ');
server.displayPrompt();
// Chunk by chunk: whether read() joins them is not the subject, and differs between versions.
let shown = '';
for (let chunk; (chunk = streams.output.read()) !== null;) shown += chunk;
console.log(shown);
server.close();
server.on('exit', () => console.log('exit'));

const global = repl.REPLServer({ input: new PassThrough(), output: new PassThrough(), useGlobal: true });
console.log(global.context === globalThis, typeof globalThis.module, Object.keys(globalThis).includes('fs'));
global.close();
