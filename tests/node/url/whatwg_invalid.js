for (const args of [['nope'], ['/rel'], ['http://'], ['http://a b/'], ['http://h:99999/'], [undefined], ['x', 'also bad'], []]) {
  try {
    new URL(...args);
  } catch (e) {
    console.log(e.name, e.code, e.message, e.input, e.base);
  }
}
console.log(URL.canParse('http://x'), URL.canParse('x'), URL.canParse('x', 'http://y'));
