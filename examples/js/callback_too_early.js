// A callback that is called before the function returns: `bar` has no value yet.
let bar;

// The signature of something asynchronous, but the callback is called at once.
function someAsyncApiCall(callback) {
  callback();
}

someAsyncApiCall(() => {
  console.log('bar', bar); // undefined
});

bar = 1;
