require('./fixtures/random_program.js')(205, { throws: true });
