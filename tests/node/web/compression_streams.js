'use strict';
// CompressionStream and DecompressionStream, and data that is not what it says.
async function main() {
  for (const format of ['gzip', 'deflate', 'deflate-raw', 'brotli']) {
    const zipped = new Blob(['x'.repeat(1000)]).stream().pipeThrough(new CompressionStream(format));
    const bytes = await new Response(zipped).arrayBuffer();
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).text();
    console.log(format, bytes.byteLength < 100, text.length);
    const cut = new Blob([bytes.slice(0, 8)]).stream().pipeThrough(new DecompressionStream(format));
    await new Response(cut).text().catch((error) => console.log(error.name, error.code));
  }
  for (const format of [undefined, 'zip', Symbol('s')]) {
    try {
      new CompressionStream(format);
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
}
main();
