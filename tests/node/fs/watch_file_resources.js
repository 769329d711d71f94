'use strict';
// process.getActiveResourcesInfo(): fs.watchFile() is one resource, whether it waits or looks.
const fs = require('node:fs');

const resources = () => console.log(process.getActiveResourcesInfo().filter((name) => /StatWatcher|Timeout/.test(name)).join());
fs.watchFile(__filename, () => {});
resources();
fs.watchFile(`${__filename}.missing`, { interval: 20 }, () => {});
setTimeout(() => {
  resources();
  fs.watchFile(__dirname, () => {}).unref();
  resources();
  fs.unwatchFile(__filename);
  resources();
  fs.stat(__filename, () => {
    fs.unwatchFile(`${__filename}.missing`);
    fs.unwatchFile(__dirname);
    setImmediate(resources);
  });
  console.log(process.getActiveResourcesInfo().filter((name) => name === 'FSReqCallback').length > 0);
}, 50);
