require('./fixtures/random_program.js')(305, { clears: true, refreshes: true });
