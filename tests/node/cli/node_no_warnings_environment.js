// rondo-test: env=NODE_NO_WARNINGS=1
process.emitWarning('not printed');
