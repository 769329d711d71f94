// rondo-test: no-file option=-e
