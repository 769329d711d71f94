throw new Error('effect', { cause: 'a string' });
