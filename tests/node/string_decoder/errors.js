const { StringDecoder } = require('string_decoder');
for (const f of [() => new StringDecoder('nope'), () => new StringDecoder().write(1), () => new StringDecoder().write({}), () => StringDecoder.prototype.write.call({}, 'x')]) {
  try {
    console.log(f());
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
console.log(new StringDecoder().encoding, new StringDecoder('UCS2').encoding, new StringDecoder('binary').encoding, new StringDecoder().write('a string'));
