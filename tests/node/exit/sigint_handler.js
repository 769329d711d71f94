process.on('SIGINT', (name, number) => { console.log(name, number); clearInterval(timer); });
const timer = setInterval(() => {}, 10000);
process.kill(process.pid, 'SIGINT');
