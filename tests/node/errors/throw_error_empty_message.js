throw new RangeError('');
