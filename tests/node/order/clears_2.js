require('./fixtures/random_program.js')(302, { clears: true, refreshes: true });
