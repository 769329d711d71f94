// rondo-test: no-file option=./not-there.js
