require('./fixtures/random_program.js')(301, { clears: true, refreshes: true });
