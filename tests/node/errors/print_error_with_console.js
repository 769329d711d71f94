const error = Object.assign(new Error('printed'), { code: 'E_X' });
console.log(error);
console.error(error);
console.log({ error: new TypeError('nested') });
console.log([new RangeError('in array')].length, String(error), `${error}`);
