require('./fixtures/cycle_warn_a.js');
