const seen = [];
for (let i = 0; i < 200; i++) {
  const delay = ((i * 7919) % 5) * 350 + 10;
  setTimeout(() => seen.push(delay), delay);
}
process.on('exit', () => console.log(seen.length, seen.every((d, i) => i === 0 || seen[i - 1] <= d)));
const start = Date.now();
while (Date.now() - start < 1500);
