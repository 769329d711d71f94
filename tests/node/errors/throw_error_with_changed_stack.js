const e = new Error('changed');
e.stack = 'my own stack\n  line 2';
throw e;
