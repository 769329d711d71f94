console.log(require('./fixtures/with_main'), require('./fixtures/with_main_folder'));
