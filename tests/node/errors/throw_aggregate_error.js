throw new AggregateError([new Error('one'), new TypeError('two'), 'three'], 'several');
