console.log(require('./fixtures/with_bad_main'));
