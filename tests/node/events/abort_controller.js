const ac = new AbortController();
ac.signal.onabort = (e) => console.log('onabort', e.type, ac.signal.reason.name);
ac.signal.addEventListener('abort', () => console.log('listener'));
console.log(ac.signal.aborted, ac.signal.reason);
ac.abort();
ac.abort('again');
console.log(ac.signal.aborted, ac.signal.reason.message, ac.signal.reason.code);
try {
  ac.signal.throwIfAborted();
} catch (e) {
  console.log(e === ac.signal.reason, e instanceof DOMException);
}
