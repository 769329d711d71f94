require('./fixtures/random_program.js')(201, { throws: true });
