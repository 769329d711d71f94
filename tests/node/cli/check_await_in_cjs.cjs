// rondo-test: option=-c option=--no-warnings
await 1;
