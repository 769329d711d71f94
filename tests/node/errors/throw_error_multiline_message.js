throw new Error('line 1\nline 2\n  line 3');
