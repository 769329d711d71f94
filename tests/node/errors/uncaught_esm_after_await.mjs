await null;
throw new Error('after await');
