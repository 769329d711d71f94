console.log(Object.keys(process.memoryUsage()), process.memoryUsage.rss() > 1e6, Object.keys(process.cpuUsage()), Object.keys(process.resourceUsage()));
try {
  process.cpuUsage({ user: -1, system: 1 });
} catch (e) {
  console.log(e.name, e.code, e.message);
}
