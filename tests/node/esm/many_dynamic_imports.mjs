// A big file with many import( and the word with is compiled, not searched.
const text = `${"() => import('node:fs');\n".repeat(20_000)}const a = { with: 1 };\nexport default a.with;`;
const url = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
const start = process.cpuUsage();
const module = await import(url);
const { user, system } = process.cpuUsage(start);
console.log(module.default, user + system < 2e6);
