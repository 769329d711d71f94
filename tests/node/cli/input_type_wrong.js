// rondo-test: no-file option=--input-type=nonsense option=-e option=1
