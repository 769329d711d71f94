throw { name: 'Custom', message: 'looks like an error' };
