// rondo-test: no-file option=--entry-url argument=./fixtures/forked.js?query#hash argument=x
