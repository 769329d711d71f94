// The guide's first question: a timer of 0 ms (which is one of 1 ms) against an immediate, set by the main
// program. The loop looks at the timers first, and at that moment a millisecond has passed, or it has not:
// either order is right.
setTimeout(() => {
  console.log('timeout');
}, 0);

setImmediate(() => {
  console.log('immediate');
});
