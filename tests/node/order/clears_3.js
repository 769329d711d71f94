require('./fixtures/random_program.js')(303, { clears: true, refreshes: true });
