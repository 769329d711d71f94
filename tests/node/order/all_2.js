require('./fixtures/random_program.js')(402, { throws: true, rejects: true, intervals: true });
