// rondo-test: scratch
// run({ coverage: true }): the event 'test:coverage', the effect of goals, TypeScript.
import fs from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';

fs.writeFileSync('plain.js', 'exports.used = (x) => {\n  return x ? 1 : 2;\n};\nexports.unused = () => {\n  return 3;\n};\n');
fs.writeFileSync('typed.ts', `import type { Socket } from 'node:net';
interface Point {
  x: number;
}
type Name = string;
export function length(point: Point): number {
  if (point.x < 0) {
    return -point.x;
  }
  return point.x;
}
`);
fs.writeFileSync('a.test.mjs', `import { test } from 'node:test';
import plain from './plain.js';
import { length } from './typed.ts';
test('a', () => {
  plain.used(true);
  length({ x: 1 });
});
test('b', () => {
  plain.used(true);
});
`);

async function runWith(options) {
  const events = [];
  const stream = run({ files: [`${process.cwd()}/a.test.mjs`], coverage: true, coverageExcludeGlobs: ['*.mjs'], ...options });
  for await (const { type, data } of stream) {
    if (type === 'test:coverage') events.push(data);
    if (type === 'test:diagnostic' && data.level === 'error') console.log(data.message);
    if (type === 'test:summary' && data.file === undefined) console.log('success', data.success);
  }
  console.log(Object.keys(events[0]), events[0].nesting, events.length);
  const { summary } = events[0];
  console.log(Object.keys(summary), summary.workingDirectory === process.cwd(), summary.totals, summary.thresholds);
  // They are in the order of their paths, which depends on where the project is.
  for (const file of summary.files.sort((a, b) => (path.basename(a.path) < path.basename(b.path) ? -1 : 1))) {
    console.log(path.basename(file.path), Object.keys(file).join());
    console.log(file.totalLineCount, file.coveredLineCount, file.coveredBranchCount, file.coveredFunctionPercent);
    console.log(file.functions, file.branches, file.lines.map(({ line, count }) => `${line}:${count}`).join(' '));
  }
}

await runWith({});
await runWith({ isolation: 'none', coverageIncludeGlobs: ['plain.js'] });
await runWith({ lineCoverage: 100, functionCoverage: 10, coverageIncludeGlobs: 'typed.ts' });
console.log(process.env.NODE_V8_COVERAGE, process.exitCode);
for (const bad of [{ coverage: 1 }, { lineCoverage: 101 }, { branchCoverage: '1' }, { coverageExcludeGlobs: [1] }, { coverageIncludeAll: 'x' }]) {
  try {
    run({ files: [], ...bad });
  } catch (error) {
    console.log(error.code, error.message);
  }
}
