const e = new Error('x', { cause: 'y' });
console.log(Object.getOwnPropertyDescriptor(e, 'cause'), 'cause' in new Error('z'), new AggregateError([1], 'm').errors);
