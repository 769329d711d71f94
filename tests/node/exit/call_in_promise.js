Promise.resolve().then(() => process.exit(7)).then(() => console.log('never'));
