console.log(require('./fixtures/with_imports/main.js'));
