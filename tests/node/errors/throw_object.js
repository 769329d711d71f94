throw { code: 'X', nested: { a: [1, 2] } };
