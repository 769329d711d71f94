require('./fixtures/random_program.js')(403, { throws: true, rejects: true, intervals: true });
