require('./fixtures/random_program.js')(306, { clears: true, refreshes: true });
