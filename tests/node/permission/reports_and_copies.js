// rondo-test: scratch
// Where reports and copies may go under --permission.
const { spawnSync } = require('child_process');
const fs = require('fs');
const root = fs.realpathSync('.');
fs.mkdirSync('allowed');
fs.mkdirSync('denied');
fs.writeFileSync('file', 'text');

for (const code of [
  'process.report.writeReport()',
  'process.report.writeReport("x.json")',
  'process.report.writeReport("../denied/x.json")',
  'process.report.directory = "../denied"; process.report.writeReport("x.json")',
  'process.report.directory = "../denied"; process.report.filename = "y.json"; process.report.writeReport()',
  'process.report.filename = "y.json"; process.report.writeReport()',
  'process.report.compact = true; process.report.filename = "stdout"; process.report.writeReport()',
  'require("fs").cpSync("../file", "../denied/deep/file")',
  'require("fs").cpSync("..", "../denied/deep", { recursive: true })',
  'require("fs").cpSync("../file", "deep/er/file")',
  'require("fs").cp("../file", "../denied/deep/file", (error) => { throw error; })',
]) {
  const args = ['--permission', '--allow-fs-read=*', `--allow-fs-write=${root}/allowed`, '-e', code];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: 'allowed' });
  const lines = stderr.split('\n').filter((line) => /^\w*Error|^ +(?:code|permission|resource):/.test(line));
  console.log(status, code, lines.join('\n').replaceAll(root, '<root>'));
}
console.log(fs.readdirSync('denied'), fs.readdirSync('allowed').map((name) => name.slice(0, 6)));
