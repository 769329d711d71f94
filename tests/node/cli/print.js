// rondo-test: no-file option=-p option="({ a: [1, 2, { b: 3 }], s: 'text' })"
