// Numbers that are no descriptors, where a path or a descriptor is expected.
const fs = require('fs');

const attempt = (label, call) => {
  try {
    call();
    console.log(label, 'begun');
  } catch (error) {
    console.log(label, error.code, error.syscall, error.message);
  }
};
for (const number of [-1, -5, 1.5, 2 ** 31, 2 ** 31 - 1, NaN]) {
  for (const encoding of [undefined, 'utf8', 'hex']) attempt(`read ${number} ${encoding}`, () => fs.readFileSync(number, encoding));
  for (const name of ['writeFileSync', 'appendFileSync']) attempt(`${name} ${number}`, () => fs[name](number, Buffer.from('x')));
  for (const name of ['writeFileSync', 'appendFileSync']) attempt(`${name} text ${number}`, () => fs[name](number, 'x'));
  if (number < 2 ** 30) for (const name of ['writeFile', 'appendFile']) attempt(`${name} ${number}`, () => fs[name](number, 'x', () => {}));
}
