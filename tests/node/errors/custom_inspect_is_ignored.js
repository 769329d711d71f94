throw { [Symbol.for('nodejs.util.inspect.custom')]: () => 'not asked' };
