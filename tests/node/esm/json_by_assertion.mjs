// rondo-test: option=--no-warnings
const { default: data } = await import('./fixtures/data.json', { assert: { type: 'json' } });
console.log(data);
