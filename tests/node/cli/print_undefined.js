// rondo-test: no-file option=-p option="undefined"
