'use strict';
// `rondo` without a script, and `rondo -i`: a REPL on standard input and output.

const { getOptionValue } = require('internal/options');
const { pathFromEnvironment } = require('internal/repl/history');
const { REPL_MODE_SLOPPY, REPL_MODE_STRICT } = require('repl');
const { REPLServer, kStandalone } = require('internal/repl/server');

const kDefaultHistorySize = 1000;
const kInvalidArgument = 9;

function optionsFrom(env) {
  const options = {
    [kStandalone]: true,
    ignoreUndefined: false,
    useGlobal: true,
    breakEvalOnSigint: true,
    historySize: kDefaultHistorySize,
  };
  if (Number.parseInt(env.NODE_NO_READLINE, 10)) options.terminal = false;
  const mode = env.NODE_REPL_MODE?.trim().toLowerCase();
  options.replMode = mode === 'strict' ? REPL_MODE_STRICT : REPL_MODE_SLOPPY;
  if (options.terminal !== false) options.terminal = process.stdout.isTTY === true;
  const size = Number(env.NODE_REPL_HISTORY_SIZE);
  if (size > 0) options.historySize = size;
  if (Number.parseInt(env.NODE_DISABLE_COLORS, 10)) options.useColors = false;
  return options;
}

module.exports = function start() {
  if (getOptionValue('--input-type')) {
    process.stderr.write('Cannot specify --input-type for REPL\n');
    process.exit(kInvalidArgument);
  }
  const version = process.versions.rondo;
  process.stdout.write(
    `Welcome to Rondo${version ? ` v${version}` : ''} (Node.js ${process.version}).\n` +
    'Type ".help" for more information.\n');
  const options = optionsFrom(process.env);
  const server = new REPLServer(options);
  server.on('exit', () => process.exit());
  if (options.terminal) server.setupHistory(pathFromEnvironment(process.env), () => {});
  return server;
};
