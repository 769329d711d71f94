console.log(require('./fixtures/bom.json'));
