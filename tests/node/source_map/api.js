// rondo-test: option=--enable-source-maps
// findSourceMap(), the class SourceMap, and util.getCallSites().
const { SourceMap, findSourceMap } = require('module');
const path = require('path');
const util = require('util');

const file = path.join(__dirname, 'fixtures/shape.js');
console.log(findSourceMap(file), findSourceMap(7), findSourceMap('node:fs'), findSourceMap(__filename));
require(file);
const map = findSourceMap(file);
console.log(map instanceof SourceMap, map.lineLengths);
const { payload } = map;
console.log(Object.keys(payload), payload.sources.map((source) => path.basename(source)), payload.sourceRoot);
payload.sources.push('x');
console.log(map.payload.sources.length);
for (const [line, column] of [[0, 0], [0, 20], [1, 0], [1, 30], [5, 5]]) {
  const entry = map.findEntry(line, column);
  console.log({ ...entry, originalSource: path.basename(entry.originalSource) });
}
const origin = map.findOrigin(2, 25);
console.log({ ...origin, fileName: path.basename(origin.fileName) });
delete require.cache[file];
console.log(findSourceMap(file) !== undefined);

const made = new SourceMap({ version: 3, sources: ['a'], names: ['x', 'y'],
  mappings: 'AAAA,CAACA,CAAC,CAAC;;AADDC,KAAB' });
for (let line = 0; line < 3; line++) {
  for (let column = 0; column < 6; column++) console.log(line, column, made.findEntry(line, column));
}
const lowest = new SourceMap({ version: 3, sources: ['a'], names: [], mappings: 'AAAA,CAAB' });
console.log(lowest.findEntry(0, 1), new SourceMap({ version: 3, sources: [], mappings: '' }).findEntry(0, 0));
for (const wrong of [undefined, null, 7, 'x']) {
  try {
    new SourceMap(wrong);
  } catch (error) {
    console.log(error.code, error.message);
  }
}

const [site] = util.getCallSites(1);
console.log(path.basename(site.scriptName), site.lineNumber);
