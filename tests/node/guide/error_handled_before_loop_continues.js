// "to let users handle errors, clean up, or try the request again before the event loop continues"
const tries = [];
function request(callback) {
  tries.push('try');
  process.nextTick(callback, tries.length < 3 ? new Error('busy') : null);
}
setImmediate(() => console.log('immediate after', tries.length, 'tries'));
request(function done(error) {
  if (error) return request(done);
  console.log('done after', tries.length, 'tries');
});
