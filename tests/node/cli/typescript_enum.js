// rondo-test: no-file option=--input-type=commonjs-typescript option=-e option={source}
enum Kind { one }
