'use strict';
const assert = require('node:assert');
const bcrypt = require('bcryptjs');

const salt = '$2b$06$abcdefghijklmnopqrstuu';
console.log(bcrypt.hashSync('correct horse', salt), bcrypt.hashSync('gr\u00fc\u00df dich \u{1f600}', salt));
assert.match(bcrypt.genSaltSync(4), /^\$2b\$04\$.{22}$/);

async function main() {
  const hash = await bcrypt.hash('correct horse', 6);
  console.log(bcrypt.getRounds(hash), await bcrypt.compare('correct horse', hash), await bcrypt.compare('wrong', hash));
  // Long work is done in parts: a timer runs in between.
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await bcrypt.hash('long', 10);
  clearInterval(timer);
  assert.ok(ticks > 0);
  await bcrypt.compare('x').catch((error) => console.log(error.message));
}
main();
