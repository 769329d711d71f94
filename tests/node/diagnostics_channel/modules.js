// Channels that follow require() and import(): what they publish, and in which order.
const dc = require('diagnostics_channel');
const path = require('path');

function show(name, event, context) {
  const shown = { __proto__: null, ...context };
  for (const key of Object.keys(shown)) {
    const value = shown[key];
    if (value instanceof Error) shown[key] = value.code;
    else if (typeof value === 'object') shown[key] = Object.keys(value).slice(0, 3);
    else if (typeof value === 'string') shown[key] = path.basename(value);
  }
  console.log(name, event, Object.getPrototypeOf(context), shown);
}

const handlers = new Map();
for (const name of ['module.require', 'module.import']) {
  const listeners = {};
  for (const event of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) {
    listeners[event] = (context) => show(name, event, context);
  }
  handlers.set(name, listeners);
  dc.tracingChannel(name).subscribe(listeners);
}

require('path');
require('./fixtures/required');
require('./fixtures/required');
try {
  require('./fixtures/none');
} catch (error) {
  console.log(error.code);
}
(async () => {
  await import('node:path');
  await import('./fixtures/imported.mjs');
  await import('./fixtures/none.mjs').catch((error) => console.log(error.code));
  dc.tracingChannel('module.require').unsubscribe(handlers.get('module.require'));
  require('./fixtures/required');
  dc.tracingChannel('module.import').unsubscribe(handlers.get('module.import'));
  await import('./fixtures/imported.mjs');
  // One event is enough.
  dc.subscribe('tracing:module.require:end', ({ id }) => console.log('end of', id));
  require('fs');
  console.log(dc.channel('tracing:module.require:end'), dc.channel(Symbol.iterator));
})();
