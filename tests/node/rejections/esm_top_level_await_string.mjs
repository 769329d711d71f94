await Promise.reject('awaited string');
