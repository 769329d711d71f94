const e = new Error('hidden');
e[Symbol.for('nodejs.util.inspect.custom')] = () => 'from inspect.custom';
throw e;
