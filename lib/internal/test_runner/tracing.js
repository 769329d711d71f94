'use strict';
// The tracing channel node.test of diagnostics_channel: tests and suites begin, fail and end there.

const { AsyncResource } = require('async_hooks');
const { tracingChannel } = require('diagnostics_channel');

const channel = tracingChannel('node.test');

// wrap(fn) is called instead of the function of the test. Its stores are those of what is published afterwards.
function aroundTest(test) {
  const message = {
    __proto__: null,
    name: test.name,
    nesting: test.nesting,
    file: test.entryFile,
    type: test.reportedType,
  };
  let publishEnd = () => channel.end.publish(message);
  let publishError = (error) => channel.error.publish({ __proto__: null, ...message, error });
  return {
    __proto__: null,
    wrap(fn) {
      if (!channel.start.hasSubscribers) return fn;
      return (...args) => channel.start.runStores(message, () => {
        publishEnd = AsyncResource.bind(publishEnd);
        publishError = AsyncResource.bind(publishError);
        return Reflect.apply(fn, test, args);
      });
    },
    failed(error) {
      if (channel.error.hasSubscribers) publishError(error);
    },
    ended() {
      if (channel.end.hasSubscribers) publishEnd();
    },
  };
}

module.exports = { aroundTest };
