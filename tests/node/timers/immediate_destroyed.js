const a = setImmediate(() => console.log('inside', a._destroyed));
setImmediate(() => setImmediate(() => console.log('after', a._destroyed, a.hasRef())));
