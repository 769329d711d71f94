require('./fixtures/random_program.js')(202, { throws: true });
