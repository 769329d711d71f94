// rondo-test: option=--env-file=fixtures/env/first.env option=--env-file option=fixtures/env/second.env env=TAKEN=environment
'use strict';
const { FIRST, BOTH, TAKEN, NODE_OPTIONS } = process.env;
console.log({ FIRST, BOTH, TAKEN, NODE_OPTIONS }, Error.stackTraceLimit, process.title, process.execArgv);
