// rondo-test: no-file option=-p option="'plain string'"
