import { createReadStream, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';

const rows = Array.from({ length: 20000 }, (_, i) => `${i},"name, ${i}","line\n""${i}""",${i * 1.5}`);
writeFileSync('rows.csv', `id,name,text,value\n${rows.join('\n')}\n`);

let count = 0;
let sum = 0;
let last;
for await (const record of createReadStream('rows.csv').pipe(parse({ columns: true, cast: true }))) {
  count++;
  sum += record.value;
  last = record;
}
console.log(count, sum, last);
console.log(parseSync('a;b\n 1 ;2\n#no\n3;4', { delimiter: ';', trim: true, comment: '#', columns: true, info: true }).map((r) => r.record));
console.log(parseSync('\ufeffa,b\r\n1,2', { bom: true, from_line: 2 }));
for (const text of ['a,"b', 'a,b\n1']) {
  try {
    parseSync(text);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
parse('a|b', { delimiter: '|' }, (error, records) => console.log(error, records));
