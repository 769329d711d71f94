require('./fixtures/random_program.js')(406, { throws: true, rejects: true, intervals: true });
