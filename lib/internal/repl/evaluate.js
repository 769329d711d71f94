'use strict';
// Evaluation: what the REPL does with a command if its user has not given another `eval`.

const { codes } = require('internal/errors');
const { kDefaultLoader } = require('internal/modules/esm/import_symbols');
const { dynamicImportFor, isRecoverable, isValidSyntax } = require('internal/repl/syntax');
const { getOptionValue } = require('internal/options');
const vm = require('vm');

const kSloppy = Symbol('repl-sloppy');
const kStrict = Symbol('repl-strict');

// Says: more lines are to come. `err` is the error that it would be if they did not.
class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
}

const kImportStatement = 'Cannot use import statement';

function improveSyntaxError(error, code) {
  if (error.message.startsWith(kImportStatement)) {
    const message = 'Cannot use import statement inside the Node.js REPL, alternatively use ' +
      `dynamic import: ${dynamicImportFor(code)}`;
    const { stack } = error;
    if (typeof stack === 'string') error.stack = stack.replace(error.message, () => message);
    error.message = message;
  }
  return error;
}

// A command that begins with a brace and is an object literal is one, although a program would
// begin with a block.
function asObjectLiteral(code) {
  return /^\s*{/.test(code) && !/;\s*$/.test(code) && isValidSyntax(code) ? `(${code.trim()})\n` : undefined;
}

// RegExp.$1 and its like are what the last regular expression found, be it one of ours. A command
// must find what the command before it has left.
const kSeparator = '\0\0\0\0\0';
const kNineGroups = new RegExp(`^${Array(9).fill('(.*)').join(kSeparator)}$`, 's');
const kGroupNames = ['$1', '$2', '$3', '$4', '$5', '$6', '$7', '$8', '$9'];
let groups = Array(9).fill('');

function restoreGroups() {
  kNineGroups.test(groups.join(kSeparator));
}

function saveGroups() {
  groups = kGroupNames.map((name) => RegExp[name]);
}

class Evaluator {
  constructor(server) {
    this.server = server;
    this.interruptAwait = undefined;
  }

  // Programs to try, in this order: the first that compiles is run.
  candidates(code) {
    const list = [];
    const literal = asObjectLiteral(code);
    const texts = literal === undefined ? [code] : [literal, code];
    // Without the iterator of arrays, which a command may have taken away.
    for (let i = 0; i < texts.length; i++) {
      const text = texts[i];
      if (text.includes('await')) {
        const rewritten = getOptionValue('--experimental-repl-await') === false ? null :
          require('internal/repl/top_level_await').rewrite(text);
        if (rewritten !== null) list.push({ text: rewritten, awaited: true });
      }
      list.push({ text, awaited: false });
    }
    return list;
  }

  compile(code, file) {
    const strict = this.server.replMode === kStrict && !/^\s*$/.test(code);
    let error;
    const candidates = this.candidates(code);
    for (let i = 0; i < candidates.length; i++) {
      const { text, awaited } = candidates[i];
      try {
        const script = new vm.Script(strict ? `'use strict'; void 0;\n${text}` : text, {
          filename: file,
          displayErrors: true,
          importModuleDynamically: kDefaultLoader,
          lineOffset: strict ? -1 : 0,
        });
        return { script, awaited };
      } catch (thrown) {
        error = thrown;
      }
    }
    if (error?.name !== 'SyntaxError') throw error;
    // The beginning of an object literal is not that of a block.
    if (isRecoverable(code) || (/^\s*{/.test(code) && isRecoverable(`(${code}`))) {
      throw new Recoverable(error);
    }
    throw improveSyntaxError(error, code);
  }

  runScript(script, context) {
    const { server } = this;
    const options = { displayErrors: false, breakOnSigint: server.breakEvalOnSigint };
    // Out of raw mode ctrl-c is a signal again, and can end an endless loop.
    let raw;
    if (server.breakEvalOnSigint && server.terminal) raw = server._setRawMode(false);
    restoreGroups();
    try {
      return server.useGlobal ?
        script.runInThisContext(options) :
        script.runInContext(context, options);
    } finally {
      saveGroups();
      if (raw !== undefined) server._setRawMode(raw);
    }
  }

  // `finish(error, value)` for what can be gone on with, `fail(error)` for what the program threw.
  evaluate(code, context, file, finish, fail) {
    if (code === '\n') {
      finish(null);
      return;
    }
    let compiled;
    try {
      compiled = this.compile(code, file);
    } catch (error) {
      finish(error);
      return;
    }
    let value;
    try {
      value = this.runScript(compiled.script, context);
    } catch (error) {
      const { domain } = process;
      if (domain?.listenerCount('error') > 0) {
        domain.emit('error', error); // which goes on with the prompt, or not
        return;
      }
      domain?.exit();
      fail(error);
      return;
    }
    if (compiled.awaited) this.settle(value, finish, fail);
    else finish(null, value);
  }

  // Nothing else is read until the promise has settled, or ctrl-c was pressed.
  settle(promise, finish, fail) {
    const { server } = this;
    server.hold();
    let over = false;
    const end = (callback, ...args) => {
      if (over) return;
      over = true;
      this.interruptAwait = undefined;
      callback(...args);
      server.release();
    };
    this.interruptAwait = () => end(fail, new codes.ERR_SCRIPT_EXECUTION_INTERRUPTED());
    promise.then((result) => end(finish, null, result?.value), (error) => end(fail, error));
  }
}

module.exports = { Evaluator, Recoverable, kSloppy, kStrict };
