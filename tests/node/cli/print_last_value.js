// rondo-test: no-file option=-p option="var x = 5; if (x) { x + 1 }"
