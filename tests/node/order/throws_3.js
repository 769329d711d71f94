require('./fixtures/random_program.js')(203, { throws: true });
