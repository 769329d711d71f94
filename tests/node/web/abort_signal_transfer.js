'use strict';
// A signal can be transferred if util made it so; its copy aborts when it does.
const { aborted, transferableAbortController, transferableAbortSignal } = require('util');

function tell(what, run) {
  try {
    console.log(what, run());
  } catch (error) {
    console.log(what, error.name, error.code, error.message);
  }
}

tell('not an AbortSignal', () => transferableAbortSignal({}));
tell('nothing', () => transferableAbortSignal());
const plain = new AbortController();
tell('as it is', () => structuredClone(plain.signal));
tell('listed', () => structuredClone(plain.signal, { transfer: [plain.signal] }));
tell('the same', () => transferableAbortSignal(plain.signal) === plain.signal);
tell('marked, not listed', () => structuredClone(plain.signal));
tell('aborted', () => {
  const signal = transferableAbortSignal(AbortSignal.abort('why'));
  const copy = structuredClone(signal, { transfer: [signal] });
  return [copy, copy.reason, copy instanceof AbortSignal, copy === signal];
});
tell('not a controller', () => structuredClone(new AbortController()));

const { port1, port2 } = new MessageChannel();
const controller = transferableAbortController();
console.log(controller instanceof AbortController, controller.signal);
port2.onmessage = ({ data: { signal, inside } }) => {
  console.log('received', signal, inside);
  const copy = structuredClone(signal, { transfer: [signal] });
  aborted(copy, port2).then(() => {
    console.log('copy of a copy', copy.reason);
    port2.close();
  });
  signal.onabort = (event) => console.log(event.type, event.isTrusted, signal.reason);
  controller.abort({ reason: 'any value' });
  console.log('not yet', signal.aborted);
};
port1.postMessage({ signal: controller.signal, inside: [1] }, [controller.signal]);

// Ports of signals do not keep the program running.
const never = transferableAbortController().signal;
structuredClone(never, { transfer: [never] }).onabort = () => console.log('never');
