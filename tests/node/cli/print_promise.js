// rondo-test: no-file option=-p option="Promise.resolve(4)"
