// --abort-on-uncaught-exception: a rejection that nobody handles aborts, too, whatever listeners there are for exceptions.
const { spawnSync } = require('child_process');
const programs = [
  'Promise.reject(new Error("x"))',
  'process.on("uncaughtException", () => {}); Promise.reject(1)',
  'process.on("exit", () => console.log("exit")); import("./nothing.mjs")',
  'process.on("unhandledRejection", () => {}); Promise.reject(1)',
  'new (require("worker_threads").Worker)("Promise.reject(1)", { eval: true }).on("error", () => {})',
];
for (const program of programs) {
  // Without a core file.
  const run = (args, env) => spawnSync('sh', ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath, ...args],
    { encoding: 'utf8', env: { ...process.env, ...env } });
  const { status, signal, stdout } = run(['--abort-on-uncaught-exception', '-e', program]);
  console.log(program, status, signal, stdout);
  console.log(run(['-e', program], { NODE_OPTIONS: '--abort_on_uncaught_exception' }).signal);
}
