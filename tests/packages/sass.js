'use strict';
const { execFileSync } = require('node:child_process');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const sass = require('sass');

mkdirSync('styles/parts', { recursive: true });
writeFileSync('styles/parts/_colours.scss', '@use "sass:color";\n$main: #336699 !default;\n@function shade($c, $n) { @return color.mix(black, $c, $n); }\n');
writeFileSync('styles/main.scss', `@use 'parts/colours' with ($main: #224466);
@use 'sass:math';
@mixin button($size) { padding: math.div($size, 2) $size; &:hover { color: colours.shade(colours.$main, 20%); } }
.a { @include button(10px); .b & { width: calc(100% - #{1 + 2}px); } }
@each $n in 1, 2, 3 { .m-#{$n} { margin: $n * 4px; } }\n`);

const { css, loadedUrls, sourceMap } = sass.compile('styles/main.scss', { sourceMap: true });
console.log(css, loadedUrls.map((url) => url.href.split('/').pop()), sourceMap.mappings);

async function main() {
  const { css } = await sass.compileStringAsync('@use "virtual:x"; a { b: twice(3px) + x.$y; }', {
    style: 'compressed',
    functions: { 'twice($n)': ([n]) => new sass.SassNumber(n.assertNumber().value * 2, 'px') },
    importers: [{
      canonicalize: async (url) => (url.startsWith('virtual:') ? new URL(url) : null),
      load: async () => ({ contents: '$y: 1px', syntax: 'scss' }),
    }],
  });
  console.log(css);
  execFileSync(process.execPath, [join(dirname(require.resolve('sass')), 'sass.js'), '--no-source-map', 'styles/main.scss', 'out.css']);
  console.log(readFileSync('out.css', 'utf8'));
  try {
    sass.compileString('a { b: $missing; }');
  } catch (error) {
    console.log(error.name, error.message);
  }
}
main();
