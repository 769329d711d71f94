await import('./fixtures/data.json').catch((e) => console.log(e.name, e.code, e.message.replace(/".*?fixtures/, '"FIXTURES')));
