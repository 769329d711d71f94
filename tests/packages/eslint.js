'use strict';
const { mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const { ESLint, Linter } = require('eslint');

mkdirSync('src');
writeFileSync('eslint.config.mjs', `export default [{ rules: { 'no-unused-vars': 'error', 'prefer-const': 'error', eqeqeq: 'warn', 'no-var': 'error' } }];\n`);
writeFileSync('src/bad.js', 'var a = 1;\nlet b = 2;\nif (b == 3) console.log(b);\n');
writeFileSync('src/good.js', 'export const sum = (a, b) => a + b;\n');
writeFileSync('src/broken.js', 'const = 1;\n');

async function main() {
  const eslint = new ESLint();
  const results = await eslint.lintFiles(['src/**/*.js']);
  for (const { messages, filePath } of results) {
    console.log(filePath.split('/').pop(), messages.map((m) => `${m.line}:${m.column} ${m.ruleId} ${m.message}`));
  }
  await ESLint.outputFixes(await new ESLint({ fix: true }).lintFiles(['src/bad.js']));
  console.log(readFileSync('src/bad.js', 'utf8'));
  const formatter = await eslint.loadFormatter('json');
  console.log(JSON.parse(await formatter.format(results)).length);
  console.log(new Linter().verify('foo(undefinedName)', { rules: { 'no-undef': 2 } }).map((m) => m.message));
}
main();
