'use strict';
// Blob.stream() takes turns of the loop between its parts, and fills the memory of a BYOB reader.
async function main() {
  const blob = new Blob(['abc', new Uint8Array(70000), 'def']);
  const log = [];
  let turns = 0;
  const turn = () => {
    log.push('immediate');
    if (turns++ < 12) setImmediate(turn);
  };
  setImmediate(turn);
  for await (const chunk of blob.stream()) log.push(chunk.length);
  console.log(log.join());

  const reader = blob.stream().getReader({ mode: 'byob' });
  let result;
  while (!(result = await reader.read(new Uint8Array(50000))).done) console.log(result.value.length);
  console.log(result);

  const other = blob.stream().getReader();
  await other.read();
  await other.cancel('enough');
  console.log(await other.read());
  console.log((await new Blob(['h\u00e9', 'llo']).textStream().getReader().read()).value);
}
main();
