require('./fixtures/random_program.js')(102, {});
