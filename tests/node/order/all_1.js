require('./fixtures/random_program.js')(401, { throws: true, rejects: true, intervals: true });
