// rondo-test: no-file argument=./fixtures/syntax.cjs
