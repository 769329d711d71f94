import('./fixtures/bad_syntax.js').catch((e) => console.log(e.name, e.message));
