require('./fixtures/random_program.js')(404, { throws: true, rejects: true, intervals: true });
