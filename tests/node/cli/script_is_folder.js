// rondo-test: no-file option=./fixtures/folder option=arg
