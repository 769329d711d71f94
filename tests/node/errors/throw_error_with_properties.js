throw Object.assign(new Error('message'), { code: 'E_CODE', errno: -2, list: [1, 2, 3], deep: { a: { b: { c: { d: 1 } } } } });
