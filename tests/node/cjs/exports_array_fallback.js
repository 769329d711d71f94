console.log(require('fallback'), require('sugar'));
