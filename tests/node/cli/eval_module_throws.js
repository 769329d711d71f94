// rondo-test: no-file option=--input-type=module option=-e option="throw new Error('in module')"
