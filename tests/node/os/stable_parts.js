const os = require('os');
console.log(os.EOL === '\n', os.platform(), os.type(), os.devNull, os.endianness(), typeof os.hostname(), os.cpus().length > 0, os.availableParallelism() > 0, os.totalmem() > os.freemem(), os.uptime() > 0, os.loadavg().length, os.homedir() === process.env.HOME);
console.log(Object.keys(os.cpus()[0]), Object.keys(os.cpus()[0].times), Object.keys(os.userInfo()), os.arch() === process.arch);
console.log(os.constants.signals.SIGINT, os.constants.errno.ENOENT, os.constants.priority, typeof os.getPriority(), `${os.hostname}` === os.hostname(), Object.keys(os.networkInterfaces().lo?.[0] ?? {}));
