const { Console } = require('console');
for (const f of [() => new Console(), () => new Console({}), () => new Console({ stdout: { write() {} }, colorMode: 'x' }), () => console.group.call(null)]) {
  try {
    f();
    console.log('ok');
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
