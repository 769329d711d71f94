// rondo-test: no-file option=./not-there.mjs
