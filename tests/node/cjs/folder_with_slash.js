console.log(require('./fixtures/order/folder/'), require('./fixtures/order/folder/.'), require('./fixtures/order/folder/index'));
