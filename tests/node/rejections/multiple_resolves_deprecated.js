process.on('multipleResolves', (type) => console.log(type));
new Promise((resolve, reject) => { resolve(1); resolve(2); reject(3); });
