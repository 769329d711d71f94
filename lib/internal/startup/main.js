'use strict';
// Runs what the command line asks for.

const { getOptionValue } = require('internal/options');

function runText(main, name) {
  const { runInput } = require('internal/modules/run_main');
  Object.defineProperty(process, '_eval', {
    __proto__: null, value: main.source, writable: true, enumerable: true, configurable: true,
  });
  runInput(main.source, { name, print: main.print ? printAtEnd : undefined });
}

// The value of -p: when nothing is left to do, so that it is seen what became of a promise.
function printAtEnd(value) {
  const print = () => require('internal/console/global').log(value);
  process.on('exit', print);
  process.once('beforeExit', () => {
    print();
    process.off('exit', print);
  });
}

// With -i the REPL is there first, and stays what `module` means.
function runSource(main) {
  if (!getOptionValue('--interactive')) return runText(main, '[eval]');
  require('internal/repl/start')();
  const { module } = globalThis;
  runText(main, '[eval]');
  globalThis.module = module;
}

const kProfileOptions = ['--cpu-prof', '--heap-prof', '--heapsnapshot-near-heap-limit', '--heapsnapshot-signal'];

// main.kind is what to do:
//   'file'      main.path
//   'source'    main.source, of -e and -p; main.print says which
//   'input'     main.source, of standard input
//   'check'     main.path or main.source, only its syntax
//   'test'      the files that process.argv names
//   'watch'     the program again and again, in a child
//   'run'       a script of package.json
//   'repl'
//   'worker'    what the thread that made this one has sent
//   'embedded'  nothing: returns what C++ calls
module.exports = function runMain(main) {
  if (kProfileOptions.some((option) => getOptionValue(option))) require('internal/v8/profile_files').start();
  if (process.env.NODE_V8_COVERAGE || getOptionValue('--experimental-test-coverage')) {
    require('internal/inspector/coverage').start();
  }
  if (main.kind === 'worker') return require('internal/worker/main')();
  if (main.kind === 'run') return require('internal/run_script')(getOptionValue('--run'), process.argv.slice(1));
  const loader = require('internal/modules/run_main');
  if (main.path !== undefined && getOptionValue('--entry-url') !== true) {
    process.argv[1] = require('path').resolve(main.path);
  }
  // Tests that all run here load these themselves.
  const isLater = main.kind === 'test' && getOptionValue('--test-isolation') === 'none';
  if (process.env.NODE_CHANNEL_FD) require('internal/child_process/in_child').connectToParent();
  if (main.kind === 'watch') return require('internal/watch_mode/main')();
  if (process.env.WATCH_REPORT_DEPENDENCIES) require('internal/watch_mode/report').setUp();
  loader.prepare({
    require: isLater ? [] : getOptionValue('--require') ?? [],
    import: isLater ? [] : getOptionValue('--import') ?? [],
  });
  switch (main.kind) {
    case 'file': return loader.Module.runMain(process.argv[1]);
    case 'source': return runSource(main);
    case 'input': return runText(main, '[stdin]');
    case 'check': return loader.checkSyntax(main.path ?? '[stdin]', main.source);
    case 'test': return loader.runTests();
    case 'repl': return require('internal/repl/start')();
    case 'embedded': return require('internal/startup/embedding');
  }
};
