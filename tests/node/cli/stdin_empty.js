// rondo-test: no-file stdin=""
