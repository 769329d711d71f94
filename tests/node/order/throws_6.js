require('./fixtures/random_program.js')(206, { throws: true });
