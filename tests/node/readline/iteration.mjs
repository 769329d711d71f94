// for await over the lines.
import { Readable } from 'node:stream';
import * as readline from 'node:readline';
import * as promises from 'node:readline/promises';

for (const create of [readline.createInterface, promises.createInterface]) {
  for await (const line of create({ input: Readable.from(['a\nb', 'c\n', 'd']) })) console.log(line);

  const early = create({ input: Readable.from(['1\n2\n3\n']) });
  for await (const line of early) {
    console.log('early', line);
    if (line === '2') break;
  }
  console.log(early.closed, early[Symbol.asyncIterator]() === early[Symbol.asyncIterator]());

  const slow = create({ input: Readable.from(['x\n', 'y\n', 'z\n']) });
  for await (const line of slow) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    console.log('slow', line);
  }
}
const broken = readline.createInterface({
  input: Readable.from((function* () { yield 'fine\n'; throw new Error('broken'); })()),
});
try {
  for await (const line of broken) console.log(line);
} catch (e) {
  console.log(e.message);
}
