console.log(process.kill(process.pid, 0));
for (const args of [[process.pid, 'SIGNONE'], ['x'], [2 ** 30, 0]]) {
  try {
    process.kill(...args);
  } catch (e) {
    console.log(e.name, e.code, e.message, e.syscall);
  }
}
