const e = new Error('first');
e.message = 'second';
throw e;
