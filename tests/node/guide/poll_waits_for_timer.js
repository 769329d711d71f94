// Nothing but a timer: the poll phase waits for it and does not spin.
const start = process.hrtime.bigint();
const { user, system } = process.cpuUsage();
setTimeout(() => {
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const used = process.cpuUsage({ user, system });
  console.log(ms >= 199, (used.user + used.system) / 1000 < ms / 2);
}, 200);
// POLL-2
