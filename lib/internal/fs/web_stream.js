'use strict';
// FileHandle.readableWebStream(): a stream of bytes that reads the file as it is asked.

const { ReadableStream, readableStreamCancel } = require('internal/webstreams/readablestream');

// onDone() is called, and waited for, when all has been read or the stream was cancelled.
function streamOf(handle, onDone) {
  // As it is now: a program may replace the method later.
  const { read } = handle;
  const stream = new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: 16384,
    async pull(controller) {
      const { view } = controller.byobRequest;
      const { bytesRead } = await Reflect.apply(read, handle, [view, 0, view.byteLength]);
      if (bytesRead === 0) {
        controller.close();
        await onDone();
      }
      controller.byobRequest.respond(bytesRead);
    },
    async cancel() {
      await onDone();
    },
  });
  handle.once('close', () => {
    readableStreamCancel(stream);
  });
  return stream;
}

module.exports = { streamOf };
