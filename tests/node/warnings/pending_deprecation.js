// rondo-test: option=--trace-deprecation option=--pending-deprecation
require('util').deprecate(function f() {}, 'deprecated call', 'DEP_TEST')();
