// file, .js, .json, .node, then the folder
console.log(require('./fixtures/order/exact'), require('./fixtures/order/both'), require('./fixtures/order/folder'));
