// Recorded with Node 26: Node 20 prints other things here.
// write() and 'drain', the callbacks of end(), and when finished() calls back.
const { Duplex, PassThrough, Readable, Writable, finished } = require('stream');

function log(...args) {
  console.log(...args);
}

function section(name, run) {
  return new Promise((resolve) => {
    log(`-- ${name}`);
    run();
    setImmediate(() => setImmediate(resolve));
  });
}

async function main() {
  await section('a synchronous _write that reaches the mark', () => {
    const to = new Writable({ highWaterMark: 1, write(chunk, encoding, callback) { callback(); } });
    to.on('drain', () => log('drain'));
    log(to.write('abc'), to.writableNeedDrain, to.writableLength);
    log(to.write('def'));
  });
  await section('an asynchronous one', () => {
    const to = new Writable({ highWaterMark: 1, write(chunk, encoding, callback) { setImmediate(callback); } });
    to.on('drain', () => log('drain'));
    log(to.write('abc'), to.writableNeedDrain, to.writableLength);
  });
  for (const options of [{ emitClose: false }, { autoDestroy: false }, {}]) {
    await section(`finished() with ${JSON.stringify(options)}`, () => {
      const to = new Writable({
        ...options,
        write(chunk, encoding, callback) { setImmediate(callback); },
        final(callback) { log('final'); process.nextTick(callback); },
      });
      to.on('finish', () => log('finish')).on('close', () => log('close'));
      to.write('abc');
      to.end();
      finished(to, (error) => log('finished', error, to.writableFinished, to.destroyed));
    });
  }
  await section('finished() of what has ended without being destroyed', () => {
    const from = new Readable({ autoDestroy: false, read() { this.push(null); } });
    from.on('end', () => {
      log('end');
      finished(from, (error) => log('finished', error));
    });
    from.resume();
  });
  await section('end(callback) after write after end', () => {
    const to = new Writable({ write(chunk, encoding, callback) { callback(); } });
    to.on('error', (error) => log('error', error.code)).on('close', () => log('close'));
    to.end('last', (error) => log('first end', error?.code));
    to.write('late', (error) => log('late write', error.code));
    to.end((error) => log('second end', error?.code));
  });
  await section('end(callback) of a destroyed stream', () => {
    const to = new Writable({ write(chunk, encoding, callback) { callback(); } });
    to.destroy();
    to.end((error) => log('end', error.code));
    to.write('late', (error) => log('write', error.code));
    to.on('error', (error) => log('error', error.code));
  });
  await section('a write under way when the stream is destroyed', () => {
    const to = new Duplex({ read() {}, write() {} });
    to.on('error', (error) => log('error', error.message)).on('close', () => log('close'));
    to.write('a', (error) => log('first', error.message));
    to.write('b', (error) => log('second', error.message));
    to.end((error) => log('end', error.message));
    to.destroy(new Error('gone'));
  });
  await section('pipe and resume', () => {
    const from = Readable.from(['a', 'b', 'c']);
    const to = new PassThrough({ objectMode: true, highWaterMark: 1 });
    for (const event of ['pause', 'resume', 'end', 'close']) from.on(event, () => log('from', event));
    for (const event of ['drain', 'pipe', 'unpipe', 'finish', 'end', 'close']) to.on(event, () => log('to', event));
    from.pipe(to);
    to.on('data', (chunk) => log('data', chunk));
    from.pause();
    from.resume();
  });
}

main();
