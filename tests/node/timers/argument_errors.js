for (const f of [setTimeout, setInterval, setImmediate]) {
  for (const value of [undefined, 'code()', {}]) {
    try {
      f(value, 1);
    } catch (e) {
      console.log(f.name, e.name, e.code, e.message);
    }
  }
}
