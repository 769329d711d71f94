// rondo-test: option=--experimental-loader option=./fixtures/hooks/hooks.mjs option=--no-warnings
// Hooks of the command line are asked for the main program too.
import { EOL } from 'node:os';

console.log(import.meta.main, EOL.length, import.meta.url.endsWith('hooks_thread_main.mjs'));
