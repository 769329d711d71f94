require('./fixtures/random_program.js')(204, { throws: true });
