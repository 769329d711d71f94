// rondo-test: option=--no-warnings
// Calls of the console are notifications of a session that has enabled Runtime.

const { Session, console: engineConsole } = require('inspector');

const before = console.log;
const session = new Session();
session.connect();
const seen = [];
const heard = new Set();
session.on('inspectorNotification', ({ method }) => heard.add(method));
session.on('Runtime.consoleAPICalled', ({ params: { type, args, stackTrace } }) => {
  const [{ functionName, lineNumber, columnNumber, url }] = stackTrace.callFrames;
  if (!url.startsWith('file:///') || !url.endsWith('/console.js')) return; // a call inside of another: console.table() logs
  seen.push([type, args.map(({ value, description }) => value ?? description), functionName, lineNumber, columnNumber]);
});
session.post('Runtime.enable');

function speak() {
  console.log('one', 2, { three: 3 });
  console.error(new RangeError('wrong').message);
  console.warn('%s', 'formatted');
  console.table([[1]]);
  console.group('group');
  console.dir({ a: 1 });
  console.groupEnd();
  console.count('counter');
  engineConsole.log('to the inspector only');
}
speak();
session.disconnect();
console.log('not seen any more');
console.log(seen, [...heard].filter((name) => name !== 'Debugger.scriptParsed'));
console.log(console.log.name, console.log.length, typeof before);
