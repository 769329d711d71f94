// rondo-test: option=--no-warnings
// process.binding('natives') and ('constants'): old packages ask them which modules are builtin, and for numbers.
const { builtinModules } = require('module');
const natives = process.binding('natives');
const names = builtinModules.filter((name) => !name.startsWith('node:') && !name.startsWith('_tls'));
console.log(names.filter((name) => typeof natives[name] !== 'string'));
console.log(names.every((name) => Object.keys(natives).includes(name)), Object.getPrototypeOf(natives) === Object.prototype);
console.log(natives === process.binding('natives'), Object.hasOwn(natives, 'nothing'));
natives.fs = 'changed';
console.log(process.binding('natives').fs === 'changed');

const constants = process.binding('constants');
console.log(Object.keys(constants), constants === process.binding('constants'), Object.getPrototypeOf(constants));
console.log(constants.trace, constants.internal);
console.log(constants.fs.O_CREAT, constants.os.signals.SIGTERM, constants.os.errno.ENOENT, constants.zlib.Z_BEST_SPEED,
  constants.crypto.RSA_PKCS1_PADDING);
