// Which arguments util.parseArgs() takes when the program stands on the command line.
const { spawnSync } = require('child_process');
const values = 'JSON.stringify(require("util").parseArgs({ strict: false }))';
const forms = [['-e', `console.log(${values})`], [`--eval=console.log(${values})`], ['-pe', values], ['-p', values],
  ['--print', '--eval', values], ['--print', `--eval=${values}`], ['-p', '-e', values]];
for (const form of forms) {
  const { stdout, stderr } = spawnSync(process.execPath, [...form, '--', '--foo', 'bar'], { encoding: 'utf8' });
  console.log(form[0], stdout, stderr);
}
const { stdout } = spawnSync(process.execPath, ['-', '--foo', 'bar'], { input: `console.log(${values})`, encoding: 'utf8' });
console.log(stdout);
