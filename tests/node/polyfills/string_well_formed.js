console.log('a\ud800b'.isWellFormed(), 'a\ud800b'.toWellFormed() === 'a\ufffdb', '😀'.isWellFormed(), 'abc'.replaceAll('b', '$&$&'));
console.log(String.prototype.isWellFormed.length, String.prototype.toWellFormed.name);
