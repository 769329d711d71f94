console.log(require.main === module, module.id, module.loaded, module.children.length, module.parent);
const child = require('./fixtures/about_module.js');
console.log(module.children.length, child);
