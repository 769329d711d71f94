require('./fixtures/random_program.js')(304, { clears: true, refreshes: true });
