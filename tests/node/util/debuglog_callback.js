// rondo-test: env=NODE_DEBUG=shown
'use strict';
// The function that debuglog() passes has `enabled`, as the first one does.
const { debuglog } = require('node:util');

process.stderr.write = (text) => console.log(text.trim().replace(String(process.pid), 'PID'));
for (const section of ['shown', 'hidden']) {
  const log = debuglog(section, (given) => {
    console.log(section, given.enabled, typeof Object.getOwnPropertyDescriptor(given, 'enabled').get, given === log);
    given('given %d', 2);
  });
  log('first %s', section);
  console.log(log.enabled, Object.keys(log));
}
