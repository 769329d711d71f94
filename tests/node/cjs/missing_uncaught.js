require('./fixtures/requires_missing.js');
