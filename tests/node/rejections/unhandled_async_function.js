async function main() {
  await null;
  throw new Error('in async function');
}
main();
