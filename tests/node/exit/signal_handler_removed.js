const keep = setTimeout(() => {}, 10000);
const handler = () => {
  console.log('once');
  process.off('SIGUSR2', handler);
  process.kill(process.pid, 'SIGUSR2');
};
process.on('SIGUSR2', handler);
process.kill(process.pid, 'SIGUSR2');
