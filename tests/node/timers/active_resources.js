setTimeout(() => {}, 1);
setTimeout(() => {}, 1).unref();
setInterval(() => {}, 1).unref();
setImmediate(() => {});
console.log(process.getActiveResourcesInfo());
