try {
  require('no-such-package/sub');
} catch (e) {
  console.log(e.code, e.message.split('\n')[0]);
}
try {
  require('node:nothing');
} catch (e) {
  console.log(e.code, e.message);
}
