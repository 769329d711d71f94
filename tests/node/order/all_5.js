require('./fixtures/random_program.js')(405, { throws: true, rejects: true, intervals: true });
