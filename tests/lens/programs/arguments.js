console.log(JSON.stringify(process.argv.slice(2)));
