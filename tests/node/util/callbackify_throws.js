const { callbackify } = require('util');
process.on('uncaughtException', (e) => console.log('uncaught', e.message));
callbackify(async () => 1)(() => { throw new Error('from the callback'); });
