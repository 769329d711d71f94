require('./fixtures/throws.js');
