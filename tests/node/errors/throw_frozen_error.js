throw Object.freeze(new Error('frozen'));
