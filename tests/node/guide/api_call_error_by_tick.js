function apiCall(arg, callback) {
  if (typeof arg !== 'string')
    return process.nextTick(
      callback,
      new TypeError('argument should be string')
    );
}
setImmediate(() => console.log('the loop goes on'));
apiCall(42, (error) => console.log('callback:', error.message));
console.log("the rest of the user's code");
// ASYNC-2
