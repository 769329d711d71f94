console.log([undefined, null, true, -0, 0, 1e21, NaN, 10n, 'it\'s', 'say "x"', `both ' and "`, 'new\nline\t\u0001\u{1F600}', Symbol('s'), Symbol()]);
console.log([new String('s'), new Number(-0), new Boolean(false), Object(Symbol('x')), Object(1n)]);
