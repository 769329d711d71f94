console.log(require('./fixtures/data.json'), require('./fixtures/data') === require('./fixtures/data.json'));
