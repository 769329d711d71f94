setTimeout(() => { throw 'late string'; }, 1);
