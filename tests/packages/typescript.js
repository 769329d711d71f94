'use strict';
const { execFileSync, spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const ts = require('typescript');

mkdirSync('src');
writeFileSync('tsconfig.json', JSON.stringify({
  compilerOptions: { target: 'es2022', lib: ['es2022'], module: 'commonjs', strict: true, outDir: 'out', declaration: true, sourceMap: true, types: [] },
  include: ['src'],
}));
writeFileSync('src/shape.ts', `export interface Shape { area(): number }
export class Circle implements Shape { constructor(private readonly r: number) {} area() { return Math.round(Math.PI * this.r ** 2); } }
export enum Colour { Red = 1, Blue }\n`);
writeFileSync('src/main.ts', `import { Circle, Colour, type Shape } from './shape';
const shapes: Shape[] = [new Circle(1), new Circle(2)];
declare const console: { log(...values: unknown[]): void };
console.log(shapes.map((shape) => shape.area()), Colour[2], Colour.Red satisfies number);\n`);

const tsc = require.resolve('typescript/bin/tsc');
console.log(spawnSync(process.execPath, [tsc, '-p', '.', '--listEmittedFiles'], { encoding: 'utf8' }).stdout.replaceAll(process.cwd(), ''));
for (const name of ['main.js', 'shape.js', 'shape.d.ts', 'shape.js.map']) console.log(readFileSync(`out/${name}`, 'utf8'));
console.log(execFileSync(process.execPath, ['out/main.js'], { encoding: 'utf8' }));

writeFileSync('src/wrong.ts', 'const n: number = "text"; n.missing();\n');
const wrong = spawnSync(process.execPath, [tsc, '-p', '.', '--noEmit'], { encoding: 'utf8' });
console.log(wrong.status, wrong.stdout);
console.log(ts.transpileModule('@dec class A { x?: number; accessor y = 1 }', { compilerOptions: { target: ts.ScriptTarget.ES2020 } }).outputText);
