const a = process.hrtime();
const b = process.hrtime(a);
const c = process.hrtime.bigint();
console.log(a.length, b[0] >= 0 && b[1] > 0, typeof c, process.hrtime.bigint() >= c, process.uptime() > 0);
for (const bad of [1, [1], [1, 2, 3]]) {
  try {
    process.hrtime(bad);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
