console.log('before');
throw new Error('in main');
