const { stripVTControlCharacters, styleText, toUSVString } = require('util');
console.log(stripVTControlCharacters('\u001b[31mred\u001b[0m'), JSON.stringify(styleText('red', 'x')), JSON.stringify(styleText(['bold', 'green'], 'y')), toUSVString('a\ud800b'));
try {
  styleText('nocolour', 'x');
} catch (e) {
  console.log(e.code);
}
