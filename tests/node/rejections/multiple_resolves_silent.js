new Promise((resolve, reject) => { resolve(1); reject(new Error('ignored')); resolve(2); }).then(console.log);
