// rondo-test: no-file option=-pe option="1 + 1"
