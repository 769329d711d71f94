// An API is asynchronous always or never. This one checks its argument immediately and reports the error later: by
// nextTick, when the caller's own code has run to its end. What follows the callback is handed to it.
function apiCall(arg, callback) {
  if (typeof arg !== 'string') {
    return process.nextTick(callback, new TypeError('argument should be string'));
  }
  process.nextTick(callback, null, arg.toUpperCase());
}

apiCall(42, (error) => console.log(`${error}`));
apiCall('rondo', (error, result) => console.log(result));
console.log('the caller has done its work');
