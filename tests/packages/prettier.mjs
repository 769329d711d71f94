import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import prettier from 'prettier';

const samples = {
  babel: 'const  a={b:1,c:[1,2,3],async *d(){yield await x}};export default class A extends B{#p=1;static{f()}}',
  typescript: 'interface A<T extends string>{a?:T;readonly b:number[]}enum E{A=1,B}const f=<T,>(x:T):x is NonNullable<T>=>!!x',
  css: 'a{color:RED;margin:0 0 0 0}@media (max-width:100px){.b>c{display:none}}',
  scss: '@mixin m($a:1px){&:hover{width:$a*2}}.x{@include m(2px)}',
  html: '<!doctype html><div><p>text   <b>bold</b></p><script>let a=1</script><style>a{b:c}</style></div>',
  markdown: '# Title\n* one\n* two\n\n```js\nlet  a\n```\n|a|b|\n|-|-|\n|1|22|\n',
  json: '{"a":1,"b":[1,2,{"c":null}]}',
  yaml: 'a:   1\nb:\n    - x\n    -   y\n',
  graphql: 'query Q($a:Int){f(a:$a){b,c}}',
};
for (const [parser, text] of Object.entries(samples)) console.log(parser, await prettier.format(text, { parser }));

// A real file, in and out again: what is formatted stays as it is.
const text = readFileSync(join(dirname(createRequire(import.meta.url).resolve('jszip')), 'zipEntry.js'), 'utf8');
writeFileSync('.prettierrc', '{ "singleQuote": true, "printWidth": 100 }');
const options = { ...(await prettier.resolveConfig(join(process.cwd(), 'x.js'))), parser: 'babel' };
const formatted = await prettier.format(text, options);
console.log(formatted, await prettier.check(formatted, options));
await prettier.format('let = ', { parser: 'babel' }).catch((error) => console.log(error.name, error.message));
