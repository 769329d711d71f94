// rondo-test: no-file option=-e option="let x = ;"
