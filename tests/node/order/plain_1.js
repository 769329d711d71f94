require('./fixtures/random_program.js')(101, {});
