'use strict';
// Random programs of streams: a few streams of all kinds with random options and implementations, and a list of random
// actions on them. Every event, callback, call of an implementation, return value and state is printed in order.
//
// A program waits with ticks, microtasks and immediates only, because timers would make the order depend on the
// machine. A stream is piped only into one that was made after it: a circle of pipes would run until the stack ends, and
// where that is depends on the engine.

const stream = require('node:stream');
const { EventEmitter } = require('node:events');
const { Random } = require('./random.js');

const { Duplex, PassThrough, Readable, Transform, Writable } = stream;

const kMaxLines = 500; // then the program is stopped: its streams feed each other
const kMaxLineLength = 4000; // likewise
const kQuietRounds = 12; // immediates without a line, after which a program has ended
const kEvents = ['end', 'close', 'finish', 'prefinish', 'drain', 'pause', 'resume', 'pipe', 'unpipe'];
const kReadableProperties = ['readable', 'readableAborted', 'readableDidRead', 'readableEnded', 'readableFlowing', 'readableLength',
  'readableEncoding', 'readableHighWaterMark', 'readableObjectMode'];
const kWritableProperties = ['writable', 'writableAborted', 'writableCorked', 'writableEnded', 'writableFinished', 'writableLength',
  'writableNeedDrain', 'writableHighWaterMark', 'writableObjectMode'];
const kCommonProperties = ['destroyed', 'closed', 'errored'];

function show(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Buffer.isBuffer(value)) return `<${value.toString('latin1')}>`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}<${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')}>`;
  if (value instanceof Error) {
    // The first line: a message that shows a stream has its emitter's internals below.
    let text = `${value.name}[${value.code}] ${String(value.message).split('\n', 1)}`;
    if (value.cause !== undefined) text += ` cause ${show(value.cause)}`;
    if (value.errors !== undefined) text += ` errors ${show(value.errors)}`;
    return text;
  }
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value?.streamName !== undefined) return value.streamName;
  if (value instanceof EventEmitter || typeof value === 'function') return value.constructor.name;
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'object' && value !== null) {
    return `{${Object.keys(value).map((key) => `${key}: ${show(value[key])}`).join(', ')}}`;
  }
  return String(value);
}

function noop() {}

class Program {
  constructor(seed) {
    this.random = new Random(seed);
    this.lines = 0;
    this.stopped = false;
    this.streams = [];
    this.budget = 6 + this.random.below(22); // actions, those inside listeners included
    this.controllers = [];
    this.count = 0;
  }

  log(text) {
    if (this.stopped) return;
    if (++this.lines > kMaxLines || text.length > kMaxLineLength) this.stop();
    else console.log(text);
  }

  stop() {
    if (this.stopped) return;
    this.stopped = true;
    console.log('stopped');
    for (const each of this.streams) each.on('error', noop).destroy();
  }

  // ---- Completion, sooner or later ----

  // A function that calls what it is given, in a way drawn once for this use.
  when(random = this.random) {
    const way = random.pick(['now', 'now', 'tick', 'tick', 'microtask', 'immediate', 'promise', 'two', 'mixed', 'mixed']);
    if (way !== 'mixed') return (call) => this.callLater(way, call);
    const own = new Random(random.below(1e9));
    return (call) => this.callLater(own.pick(['now', 'tick', 'microtask', 'immediate']), call);
  }

  callLater(way, call) {
    if (way === 'now') call();
    else if (way === 'tick') process.nextTick(call);
    else if (way === 'microtask') queueMicrotask(call);
    else if (way === 'promise') Promise.resolve().then(() => null).then(call);
    else if (way === 'immediate') setImmediate(call);
    else setImmediate(() => setImmediate(call));
  }

  error(label) {
    return new Error(`${label}${this.count++}`);
  }

  // ---- Chunks ----

  chunk(objectMode, random = this.random) {
    const text = random.pick(['a', 'bc', 'def', 'ghij', 'klmnopqrst', '\u00e9', 'x'.repeat(20)]) + this.count++;
    if (objectMode) {
      return random.pick([text, { v: this.count }, this.count, [1], true, Buffer.from(text)]);
    }
    switch (random.below(9)) {
      case 0: return new Uint8Array(Buffer.from(text, 'latin1'));
      case 1: case 2: case 3: return Buffer.from(text);
      case 4: return random.pick(['', Buffer.alloc(0), text]);
      default: return text;
    }
  }

  anyChunk(objectMode) {
    if (this.random.chance(94)) return this.chunk(objectMode);
    return this.random.pick([5, {}, undefined, null, true, new DataView(new ArrayBuffer(2))]);
  }

  encoding() {
    return this.random.pick([undefined, undefined, undefined, 'utf8', 'latin1', 'hex', 'base64', 'buffer', 'nonsense']);
  }

  // ---- Making streams ----

  highWaterMark() {
    return this.random.pick([undefined, undefined, 0, 1, 2, 3, 5, 10, 16, 100]);
  }

  addReadableOptions(options, name) {
    const { random } = this;
    if (random.chance(20)) options.encoding = random.pick(['utf8', 'hex', 'latin1', 'utf16le']);
    if (random.chance(90)) options.read = this.makeRead(name, options);
  }

  addWritableOptions(options, name) {
    const { random } = this;
    const own = new Random(random.below(1e9));
    if (random.chance(25)) options.decodeStrings = random.chance(50);
    if (random.chance(15)) options.defaultEncoding = random.pick(['latin1', 'hex', 'utf8']);
    const when = this.when();
    const finish = (label, cb) => when(() => {
      if (own.chance(4)) {
        this.log(`${name} ${label} fails`);
        cb(this.error('write'));
      } else {
        cb();
        if (own.chance(1)) cb();
      }
    });
    if (random.chance(92)) {
      options.write = (chunk, encoding, cb) => {
        this.log(`${name}._write(${show(chunk)}, ${show(encoding)})`);
        if (own.chance(1)) throw this.error('thrownByWrite');
        finish('write', cb);
      };
    }
    if (random.chance(25)) {
      options.writev = (chunks, cb) => {
        this.log(`${name}._writev(${chunks.map(({ chunk, encoding }) => `${show(chunk)} ${encoding}`).join(', ')})`);
        finish('writev', cb);
      };
    }
    this.addFinal(options, name);
  }

  addFinal(options, name) {
    const { random } = this;
    if (!random.chance(40)) return;
    const when = this.when();
    const outcome = random.below(12);
    options.final = (cb) => {
      this.log(`${name}._final`);
      if (outcome === 0) throw this.error('thrownByFinal');
      if (outcome === 1) return;
      when(() => cb(outcome === 2 ? this.error('final') : undefined));
    };
  }

  makeRead(name, options) {
    const own = new Random(this.random.below(1e9));
    const when = this.when();
    let left = own.below(7);
    const ends = own.chance(85);
    const program = this;
    return function(size) {
      program.log(`${name}._read(${size})`);
      if (own.chance(1)) throw program.error('thrownByRead');
      when(() => {
        if (own.chance(2)) {
          this.destroy(own.chance(50) ? program.error('read') : undefined);
          return;
        }
        for (let burst = own.pick([1, 1, 1, 2, 3]); burst > 0 && left > 0; burst--) {
          left--;
          const result = this.push(program.chunk(options.objectMode || options.readableObjectMode, own));
          program.log(`${name}.push -> ${result}`);
        }
        if (left === 0 && ends) {
          left = -1;
          program.log(`${name}.push(null) -> ${this.push(null)}`);
        }
      });
    };
  }

  commonOptions(name) {
    const { random } = this;
    const options = {};
    if (random.chance(35)) options.objectMode = random.chance(70);
    const mark = this.highWaterMark();
    if (mark !== undefined) options.highWaterMark = mark;
    if (random.chance(20)) options.emitClose = random.chance(25);
    if (random.chance(20)) options.autoDestroy = random.chance(25);
    if (random.chance(25)) {
      const when = this.when();
      const fails = random.chance(25);
      const never = random.chance(4);
      options.destroy = (error, cb) => {
        this.log(`${name}._destroy(${show(error)})`);
        if (!never) when(() => cb(fails ? this.error('destroy') : error));
      };
    }
    if (random.chance(15)) {
      const when = this.when();
      const fails = random.chance(15);
      const throws = random.chance(8);
      options.construct = (cb) => {
        this.log(`${name}._construct`);
        if (throws) throw this.error('thrownByConstruct');
        when(() => {
          this.log(`${name} constructed`);
          if (fails) cb(this.error('construct'));
          else cb();
        });
      };
    }
    if (random.chance(8)) options.signal = this.controller().signal;
    return options;
  }

  controller() {
    const controller = new AbortController();
    this.controllers.push(controller);
    return controller;
  }

  addDuplexOptions(options) {
    const { random } = this;
    if (random.chance(20)) options.allowHalfOpen = random.chance(40);
    if (random.chance(15)) options.readableObjectMode = random.chance(60);
    if (random.chance(15)) options.writableObjectMode = random.chance(60);
    if (random.chance(10)) options.readableHighWaterMark = random.below(6);
    if (random.chance(10)) options.writableHighWaterMark = random.below(6);
    if (random.chance(4)) options.readable = false;
    if (random.chance(4)) options.writable = false;
  }

  addTransformOptions(options, name) {
    const { random } = this;
    const own = new Random(random.below(1e9));
    const when = this.when();
    const program = this;
    const manner = random.below(5);
    if (random.chance(95)) {
      options.transform = function(chunk, encoding, cb) {
        program.log(`${name}._transform(${show(chunk)}, ${encoding})`);
        if (own.chance(1)) throw program.error('thrownByTransform');
        when(() => {
          if (own.chance(3)) return cb(program.error('transform'));
          if (manner === 0) return cb(null, chunk);
          if (manner === 1) return cb();
          if (manner === 2) {
            this.push(chunk);
            return cb();
          }
          if (manner === 3) {
            this.push(chunk);
            return cb(null, 'also');
          }
          program.log(`${name}.push -> ${this.push(chunk)}`);
          if (own.chance(6)) this.push(null);
          cb();
        });
      };
    }
    if (random.chance(40)) {
      const whenFlushed = this.when();
      const outcome = random.below(10);
      options.flush = (cb) => {
        this.log(`${name}._flush`);
        if (outcome === 0) throw this.error('thrownByFlush');
        whenFlushed(() => {
          if (outcome === 1) cb(this.error('flush'));
          else if (outcome < 5) cb(null, 'flushed');
          else cb();
        });
      };
    }
    if (random.chance(15)) this.addFinal(options, name);
  }

  add(each, name) {
    each.streamName = name;
    this.streams.push(each);
    this.listen(each);
    return each;
  }

  listen(each) {
    const { random } = this;
    const name = each.streamName;
    for (const event of kEvents) {
      if (random.chance(88)) each.on(event, (...args) => this.log(`${name} '${event}'${args.length ? ` ${args.map(show)}` : ''}`));
    }
    if (random.chance(93)) {
      each.on('error', (error) => this.log(`${name} 'error' ${show(error)} ${this.flags(each)}`));
    }
    if (random.chance(20)) this.addReader(each);
  }

  flags(each) {
    const names = [];
    for (const key of ['destroyed', 'closed', 'readable', 'writable']) if (each[key]) names.push(key);
    return names.join(' ');
  }

  make() {
    const { random } = this;
    const number = this.streams.length + 1;
    const kind = random.below(12);
    try {
      if (kind < 3) {
        const name = `R${number}`;
        const options = this.commonOptions(name);
        this.addReadableOptions(options, name);
        return this.made(name, options, Readable);
      }
      if (kind < 6) {
        const name = `W${number}`;
        const options = this.commonOptions(name);
        this.addWritableOptions(options, name);
        return this.made(name, options, Writable);
      }
      if (kind < 7) {
        const name = `D${number}`;
        const options = this.commonOptions(name);
        this.addDuplexOptions(options);
        this.addReadableOptions(options, name);
        this.addWritableOptions(options, name);
        return this.made(name, options, Duplex);
      }
      if (kind < 9) {
        const name = `T${number}`;
        const options = this.commonOptions(name);
        this.addDuplexOptions(options);
        this.addTransformOptions(options, name);
        return this.made(name, options, Transform);
      }
      if (kind < 10) {
        const name = `P${number}`;
        const options = this.commonOptions(name);
        this.addDuplexOptions(options);
        return this.made(name, options, PassThrough);
      }
      if (kind < 11) return this.makeFrom(number);
      return this.makeOther(number);
    } catch (error) {
      this.log(`make: ${show(error)}`);
      return undefined;
    }
  }

  made(name, options, Class) {
    const shown = Object.keys(options).map((key) => (
      typeof options[key] === 'object' || typeof options[key] === 'function' ? key : `${key}=${options[key]}`));
    this.log(`${name} = new ${Class.name} ${shown.join(' ')}`);
    return this.add(new Class(options), name);
  }

  iterable() {
    const { random } = this;
    const program = this;
    const label = `I${this.count++}`;
    const values = [];
    for (let i = random.below(5); i > 0; i--) values.push(this.chunk(random.chance(40)));
    if (random.chance(5)) values.push(random.pick([null, undefined, Promise.resolve('later')]));
    const fails = random.chance(12);
    const when = this.when();
    switch (random.below(7)) {
      case 0: return values;
      case 1: return random.pick(['text', Buffer.from('bytes'), '']);
      case 2: return new Set(values);
      case 3: return (function*() {
        try {
          for (const value of values) {
            program.log(`${label} yields ${show(value)}`);
            yield value;
          }
          if (fails) throw program.error('generator');
        } finally {
          program.log(`${label} ends`);
        }
      })();
      case 4: return values.map((value) => Promise.resolve(value));
      default: return (async function*() {
        try {
          for (const value of values) {
            await new Promise((resolve) => { when(resolve); });
            program.log(`${label} yields ${show(value)}`);
            yield value;
          }
          if (fails) throw program.error('asyncGenerator');
        } finally {
          program.log(`${label} ends`);
        }
      })();
    }
  }

  makeFrom(number) {
    const { random } = this;
    const name = `F${number}`;
    this.log(`${name} = Readable.from`);
    const options = random.pick([undefined, undefined, { objectMode: false }, { highWaterMark: random.below(4) }, { emitClose: false }]);
    const from = random.chance(5) ? random.pick([5, {}, null]) : this.iterable();
    return this.add(Readable.from(from, options), name);
  }

  makeOther(number) {
    const { random } = this;
    const program = this;
    const kind = random.below(5);
    if (kind === 0) {
      const [a, b] = stream.duplexPair(random.pick([undefined, { highWaterMark: 3 }, { objectMode: true }]));
      this.log(`A${number} B${number + 1} = duplexPair`);
      b.partner = a;
      this.add(a, `A${number}`);
      return this.add(b, `B${number + 1}`);
    }
    if (kind === 1) {
      const name = `L${number}`;
      const old = new EventEmitter();
      old.pause = () => this.log(`${name} old.pause`);
      old.resume = () => this.log(`${name} old.resume`);
      old.destroy = () => this.log(`${name} old.destroy`);
      this.log(`${name} = wrap`);
      const when = this.when();
      const wrapped = this.add(new Readable({ highWaterMark: random.below(8) }).wrap(old), name);
      when(() => old.emit('data', 'old1'));
      when(() => old.emit('data', Buffer.from('old2')));
      when(() => old.emit(random.pick(['end', 'close', 'destroy'])));
      return wrapped;
    }
    const name = `V${number}`;
    this.log(`${name} = Duplex.from`);
    const when = this.when();
    const sources = [
      () => this.iterable(),
      () => async function*(source) {
        for await (const chunk of source) {
          program.log(`${name} generator has ${show(chunk)}`);
          yield chunk;
        }
        yield 'last';
      },
      () => async function(source) {
        for await (const chunk of source) program.log(`${name} function has ${show(chunk)}`);
      },
      () => new Promise((resolve) => { when(() => resolve('promised')); }),
      () => ({ readable: Readable.from(['r1', 'r2']), writable: new Writable({ write(chunk, encoding, cb) { when(cb); } }) }),
      () => Readable.from(['only']),
      () => new Writable({ objectMode: true, write(chunk, encoding, cb) { when(cb); } }),
    ];
    return this.add(Duplex.from(random.pick(sources)()), name);
  }

  // ---- Reading ----

  addReader(each) {
    if (typeof each.read !== 'function') return;
    const { random } = this;
    const name = each.streamName;
    if (random.chance(60)) {
      const pauseAfter = random.chance(25) ? random.below(4) : -1;
      let seen = 0;
      each.on('data', (chunk) => {
        this.log(`${name} 'data' ${show(chunk)}`);
        if (seen++ === pauseAfter) {
          each.pause();
          setImmediate(() => each.resume());
        }
      });
      return;
    }
    const sizes = random.pick([[undefined], [1], [2, 3], [undefined, 4], [0], [100]]);
    let turn = 0;
    each.on('readable', () => {
      this.log(`${name} 'readable' ${each.readableLength}`);
      for (let i = 0; i < 4; i++) {
        const chunk = each.read(sizes[turn++ % sizes.length]);
        this.log(`${name}.read() = ${show(chunk)}`);
        if (chunk === null) break;
      }
    });
  }

  async iterate(each, label) {
    const { random } = this;
    const limit = random.chance(45) ? random.below(4) : Infinity;
    const options = random.chance(30) ? { destroyOnReturn: random.chance(50) } : undefined;
    const throws = random.chance(15);
    const when = random.chance(30) ? this.when() : undefined;
    let seen = 0;
    try {
      for await (const chunk of options ? each.iterator(options) : each) {
        this.log(`${label} ${show(chunk)}`);
        if (when) await new Promise((resolve) => { when(resolve); });
        if (seen++ === limit) {
          if (throws) throw this.error('loop');
          break;
        }
      }
      this.log(`${label} done`);
    } catch (error) {
      this.log(`${label} failed ${show(error)}`);
    }
  }

  // ---- Actions ----

  pickStream(test = () => true) {
    const fit = this.streams.filter(test);
    return fit.length === 0 ? undefined : this.random.pick(fit);
  }

  pickReadable() {
    return this.pickStream((each) => typeof each.read === 'function');
  }

  pickWritable() {
    return this.pickStream((each) => typeof each.write === 'function');
  }

  // A writable stream that was made after `from`, and does not lead back to it.
  pickTarget(from, test = () => true) {
    const index = this.streams.indexOf(from);
    return this.pickStream((each) => typeof each.write === 'function' && each.partner !== from &&
      this.streams.indexOf(each) > index && test(each));
  }

  action() {
    if (this.budget-- <= 0 || this.stopped) return;
    const id = this.count++;
    const name = this.random.pick(Program.actions);
    try {
      this[name](`#${id}`);
    } catch (error) {
      this.log(`#${id} ${name} threw ${show(error)}`);
    }
  }

  callback(label) {
    return (...args) => this.log(`${label} callback(${args.map(show)})`);
  }

  write(label) {
    const to = this.pickWritable();
    if (to === undefined) return;
    const { random } = this;
    const chunk = this.anyChunk(to.writableObjectMode);
    const args = [chunk];
    const encoding = this.encoding();
    if (encoding !== undefined && random.chance(60)) args.push(encoding);
    if (random.chance(40)) args.push(this.callback(`${label} write`));
    this.log(`${label} ${to.streamName}.write(${args.slice(0, 2).map(show)})`);
    const result = to.write(...args);
    this.log(`${label} -> ${result} length ${to.writableLength} needDrain ${to.writableNeedDrain}`);
  }

  writeMany(label) {
    const to = this.pickWritable();
    if (to === undefined) return;
    const results = [];
    for (let i = 1 + this.random.below(5); i > 0; i--) results.push(to.write(this.chunk(to.writableObjectMode)));
    this.log(`${label} ${to.streamName}.write many -> ${results} length ${to.writableLength}`);
  }

  end(label) {
    const to = this.pickWritable();
    if (to === undefined) return;
    const { random } = this;
    const args = [];
    if (random.chance(35)) args.push(this.anyChunk(to.writableObjectMode));
    if (random.chance(15)) args.push(this.encoding());
    if (random.chance(55)) args.push(this.callback(`${label} end`));
    this.log(`${label} ${to.streamName}.end(${args.map(show)})`);
    this.log(`${label} -> ${to.end(...args) === to} finished ${to.writableFinished}`);
  }

  cork() {
    const to = this.pickWritable();
    if (to === undefined) return;
    to.cork();
    const times = this.random.below(4);
    for (let i = 0; i < times; i++) to.write(this.chunk(to.writableObjectMode));
    this.log(`${to.streamName}.cork() and ${times} writes, corked ${to.writableCorked}`);
    if (this.random.chance(75)) this.when()(() => to.uncork());
  }

  uncork() {
    const to = this.pickWritable();
    if (to === undefined) return;
    to.uncork();
    this.log(`${to.streamName}.uncork(), corked ${to.writableCorked}`);
  }

  setDefaultEncoding() {
    const to = this.pickWritable();
    if (to === undefined) return;
    this.log(`${to.streamName}.setDefaultEncoding`);
    to.setDefaultEncoding(this.random.pick(['utf8', 'HEX', 'latin1', 'nonsense']));
  }

  pipe(label) {
    const from = this.pickReadable();
    const to = from && this.pickTarget(from);
    if (to === undefined) return;
    const options = this.random.chance(25) ? { end: this.random.chance(30) } : undefined;
    this.log(`${label} ${from.streamName}.pipe(${to.streamName})`);
    from.pipe(to, options);
    this.log(`${label} flowing ${from.readableFlowing}`);
  }

  unpipe(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    const to = this.random.chance(50) ? undefined : this.pickTarget(from);
    this.log(`${label} ${from.streamName}.unpipe(${show(to)})`);
    from.unpipe(to);
    this.log(`${label} flowing ${from.readableFlowing}`);
  }

  pause() {
    const from = this.pickReadable();
    if (from === undefined) return;
    from.pause();
    this.log(`${from.streamName}.pause() paused ${from.isPaused()}`);
  }

  resume() {
    const from = this.pickReadable();
    if (from === undefined) return;
    from.resume();
    this.log(`${from.streamName}.resume() paused ${from.isPaused()}`);
  }

  read() {
    const from = this.pickReadable();
    if (from === undefined) return;
    const size = this.random.pick([undefined, undefined, 0, 1, 2, 7, 1000, NaN, -1]);
    const chunk = from.read(size);
    this.log(`${from.streamName}.read(${size}) = ${show(chunk)} length ${from.readableLength}`);
  }

  reader(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    this.log(`${label} ${from.streamName} reader`);
    this.addReader(from);
  }

  removeReaders(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    const event = this.random.pick(['data', 'readable']);
    this.log(`${label} ${from.streamName} no '${event}' any more`);
    from.removeAllListeners(event);
    this.log(`${label} flowing ${from.readableFlowing}`);
  }

  push(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    const { random } = this;
    if (random.chance(30)) {
      this.log(`${label} ${from.streamName}.push(null) -> ${from.push(null)}`);
      return;
    }
    const chunk = this.anyChunk(from.readableObjectMode);
    const result = random.chance(30) ? from.push(chunk, this.encoding()) : from.push(chunk);
    this.log(`${label} ${from.streamName}.push(${show(chunk)}) -> ${result} length ${from.readableLength}`);
  }

  unshift(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    const chunk = this.anyChunk(from.readableObjectMode);
    this.log(`${label} ${from.streamName}.unshift(${show(chunk)}) -> ${from.unshift(chunk)} length ${from.readableLength}`);
  }

  setEncoding(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    this.log(`${label} ${from.streamName}.setEncoding`);
    from.setEncoding(this.random.pick(['utf8', 'hex', 'base64']));
    this.log(`${label} length ${from.readableLength}`);
  }

  destroy(label) {
    const each = this.pickStream();
    if (each === undefined) return;
    const error = this.random.chance(45) ? this.error('given') : undefined;
    this.log(`${label} ${each.streamName}.destroy(${show(error)})`);
    if (this.random.chance(20)) stream.destroy(each, error);
    else each.destroy(error);
    this.log(`${label} ${this.flags(each)} errored ${show(each.errored)}`);
  }

  emitError(label) {
    const each = this.pickStream();
    if (each === undefined || !this.random.chance(30)) return;
    this.log(`${label} ${each.streamName}.emit('error')`);
    each.emit('error', this.error('emitted'));
  }

  // A list of streams that fit together, each later than the one before.
  chain() {
    const { random } = this;
    const list = [];
    const first = this.pickReadable();
    if (first === undefined) return undefined;
    list.push(random.chance(20) ? this.iterable() : first);
    let last = first;
    for (let i = random.below(3); i > 0; i--) {
      if (random.chance(25)) {
        list.push(this.generator());
        continue;
      }
      const next = this.pickTarget(last, (each) => typeof each.read === 'function');
      if (next === undefined) break;
      list.push(last = next);
    }
    if (random.chance(15)) {
      list.push(async (source) => {
        let size = 0;
        for await (const chunk of source) size += chunk.length ?? 1;
        return size;
      });
    } else {
      const end = this.pickTarget(last);
      if (end !== undefined && !list.includes(end)) list.push(end);
    }
    return list;
  }

  generator() {
    const program = this;
    const label = `G${this.count++}`;
    const fails = this.random.chance(10);
    return async function*(source) {
      try {
        for await (const chunk of source) {
          program.log(`${label} has ${show(chunk)}`);
          if (fails) throw program.error('inGenerator');
          yield chunk;
        }
      } finally {
        program.log(`${label} ends`);
      }
    };
  }

  pipeline(label) {
    const list = this.chain();
    if (list === undefined) return;
    this.log(`${label} pipeline(${list.map(show)})`);
    const result = stream.pipeline(...list, this.callback(`${label} pipeline`));
    this.log(`${label} -> ${show(result)}`);
  }

  pipelinePromise(label) {
    const list = this.chain();
    if (list === undefined) return;
    this.log(`${label} promises.pipeline(${list.map(show)})`);
    if (this.random.chance(40)) {
      const options = {};
      if (this.random.chance(60)) options.signal = this.controller().signal;
      if (this.random.chance(40)) options.end = false;
      list.push(options);
    }
    this.settle(`${label} pipeline`, stream.promises.pipeline(...list));
  }

  settle(label, promise) {
    promise.then((value) => this.log(`${label} fulfilled ${show(value)}`),
      (error) => this.log(`${label} rejected ${show(error)}`));
  }

  finishedOptions() {
    const { random } = this;
    const options = {};
    for (const key of ['readable', 'writable', 'error']) if (random.chance(15)) options[key] = random.chance(30);
    if (random.chance(15)) options.signal = this.controller().signal;
    return options;
  }

  finished(label) {
    const each = this.pickStream();
    if (each === undefined) return;
    this.log(`${label} finished(${each.streamName})`);
    const callback = this.callback(`${label} finished`);
    const cleanup = this.random.chance(50) ? stream.finished(each, callback) : stream.finished(each, this.finishedOptions(), callback);
    if (this.random.chance(12)) this.when()(cleanup);
  }

  finishedPromise(label) {
    const each = this.pickStream();
    if (each === undefined) return;
    this.log(`${label} promises.finished(${each.streamName})`);
    const options = this.finishedOptions();
    if (this.random.chance(30)) options.cleanup = true;
    this.settle(`${label} finished`, stream.promises.finished(each, options));
  }

  iteration(label) {
    const each = this.pickReadable();
    if (each === undefined) return;
    this.log(`${label} for await of ${each.streamName}`);
    this.iterate(each, label);
  }

  addAbortSignal(label) {
    const each = this.pickStream();
    if (each === undefined) return;
    this.log(`${label} addAbortSignal(${each.streamName})`);
    stream.addAbortSignal(this.random.chance(10) ? AbortSignal.abort() : this.controller().signal, each);
  }

  abort(label) {
    if (this.controllers.length === 0) return;
    this.log(`${label} abort`);
    this.random.pick(this.controllers).abort(...this.random.pick([[], ['why'], [this.error('reason')]]));
  }

  compose(label) {
    const from = this.pickReadable();
    if (from === undefined) return;
    const number = this.streams.length + 1;
    const { random } = this;
    let composed;
    if (random.chance(40)) {
      this.log(`${label} C${number} = ${from.streamName}.compose`);
      composed = from.compose(this.generator());
    } else {
      const list = this.chain();
      if (list === undefined) return;
      this.log(`${label} C${number} = compose(${list.map(show)})`);
      composed = stream.compose(...list);
    }
    if (composed.streamName === undefined) this.add(composed, `C${number}`);
  }

  operators(label) {
    let from = this.pickReadable();
    if (from === undefined) return;
    const { random } = this;
    const program = this;
    const when = this.when();
    const options = random.pick([undefined, undefined, { concurrency: 2 }, { concurrency: 3, highWaterMark: 1 }]);
    const signal = random.chance(10) ? { signal: this.controller().signal } : undefined;
    const names = [from.streamName];
    const wait = (value) => new Promise((resolve) => { when(() => resolve(value)); });
    const fails = random.chance(8);
    const steps = {
      map: () => from.map((chunk) => {
        program.log(`${label} map ${show(chunk)}`);
        if (fails) throw program.error('map');
        return chunk;
      }, options),
      mapAsync: () => from.map(async (chunk) => wait(chunk), options),
      filter: () => from.filter((chunk) => String(chunk).length % 2 === 0, options),
      filterAsync: () => from.filter((chunk) => wait(String(chunk).length > 2), options),
      flatMap: () => from.flatMap((chunk) => [chunk, 'flat']),
      take: () => from.take(random.below(4), signal),
      drop: () => from.drop(random.below(3), signal),
      bad: () => from.take(random.pick([-1, 'x', NaN])),
    };
    for (let i = random.below(4); i > 0; i--) {
      const name = random.pick(Object.keys(steps));
      names.push(name);
      from = steps[name]();
    }
    const ends = {
      toArray: () => from.toArray(signal),
      forEach: () => from.forEach((chunk) => { program.log(`${label} each ${show(chunk)}`); }, options),
      forEachAsync: () => from.forEach(async (chunk) => {
        await wait();
        program.log(`${label} each ${show(chunk)}`);
      }, options),
      reduce: () => (random.chance(50) ? from.reduce((sum, chunk) => `${sum}${chunk}`) : from.reduce(async (sum) => sum + 1, 0)),
      some: () => from.some((chunk) => String(chunk).length > 3),
      every: () => from.every((chunk) => wait(String(chunk).length > 3)),
      find: () => from.find((chunk) => String(chunk).includes('k')),
    };
    const name = random.pick(Object.keys(ends));
    names.push(name);
    this.log(`${label} ${names.join('.')}`);
    this.settle(`${label} ${name}`, ends[name]());
  }

  dispose(label) {
    const each = this.pickStream();
    if (each === undefined || typeof Symbol.asyncDispose !== 'symbol') return;
    this.log(`${label} ${each.streamName}[asyncDispose]`);
    this.settle(`${label} dispose`, each[Symbol.asyncDispose]());
  }

  // An action inside of an event.
  react(label) {
    const each = this.pickStream();
    if (each === undefined) return;
    const event = this.random.pick([...kEvents, 'error', 'data', 'readable']);
    this.log(`${label} once ${each.streamName} '${event}'`);
    const method = this.random.chance(30) ? 'prependOnceListener' : 'once';
    each[method](event, () => {
      this.log(`${label} reacts to '${event}'`);
      this.action();
    });
  }

  state(label) {
    const each = this.pickStream();
    if (each !== undefined) this.show(each, label);
  }

  show(each, label) {
    const parts = [];
    const add = (keys) => {
      for (const key of keys) {
        const value = each[key];
        if (value !== false && value !== null && value !== undefined) parts.push(value === true ? key : `${key}=${show(value)}`);
      }
    };
    add(kCommonProperties);
    if (typeof each.read === 'function') add(kReadableProperties);
    if (typeof each.write === 'function') add(kWritableProperties);
    for (const test of ['isErrored', 'isDisturbed', 'isReadable', 'isWritable', 'isDestroyed']) {
      const value = stream[test](each);
      if (value) parts.push(`${test}=${value}`);
    }
    parts.push(`listeners ${['data', 'readable', 'end', 'error', 'close', 'finish', 'drain'].map((event) => each.listenerCount(event)).join('/')}`);
    this.log(`${label} ${each.streamName}: ${parts.join(' ')}`);
  }

  // ---- The program ----

  async run() {
    for (let i = 1 + this.random.below(4); i > 0; i--) this.make();
    const between = this.random.pick([
      ['now', 'now', 'tick', 'microtask', 'immediate'], ['immediate'], ['now', 'immediate'], ['now', 'now', 'now', 'now', 'two'],
    ]);
    while (this.budget > 0 && !this.stopped) {
      if (this.streams.length < 7 && this.random.chance(12)) this.make();
      this.action();
      const way = this.random.pick(between);
      // Not through a promise: the next action runs in the callback itself.
      if (way !== 'now') await new Promise((resolve) => { this.callLater(way, resolve); });
    }
    await this.quiet();
    for (const each of this.streams) this.show(each, 'at last');
    for (const each of this.streams) each.on('error', noop);
    this.stopped = true;
    for (const each of this.streams) each.destroy();
    await this.immediates(4);
  }

  async quiet() {
    for (let lines = -1, rounds = 0; rounds < kQuietRounds; rounds++) {
      if (this.lines !== lines) rounds = 0;
      lines = this.lines;
      await this.immediates(1);
    }
  }

  async immediates(count) {
    for (let i = 0; i < count; i++) await new Promise((resolve) => { setImmediate(resolve); });
  }
}

// By weight.
Program.actions = [
  [6, 'write'], [3, 'writeMany'], [5, 'end'], [3, 'cork'], [1, 'uncork'], [1, 'setDefaultEncoding'], [6, 'pipe'], [2, 'unpipe'],
  [2, 'pause'], [4, 'resume'], [4, 'read'], [5, 'reader'], [2, 'removeReaders'], [4, 'push'], [2, 'unshift'], [1, 'setEncoding'],
  [4, 'destroy'], [1, 'emitError'], [4, 'pipeline'], [2, 'pipelinePromise'], [5, 'finished'], [2, 'finishedPromise'], [4, 'iteration'],
  [2, 'addAbortSignal'], [3, 'abort'], [3, 'compose'], [4, 'operators'], [1, 'dispose'], [5, 'react'], [3, 'state'],
].flatMap(([weight, name]) => new Array(weight).fill(name));

let current;
process.removeAllListeners('warning');
process.on('warning', (warning) => current.log(`warning ${warning.name} ${warning.message}`));
// An 'error' event without a listener, or what an implementation throws. It ends the program: which ticks run next is not
// the streams' doing, and Node 20 and 26 differ in it.
process.on('uncaughtException', (error) => {
  current.log(`uncaught ${show(error)}`);
  current.stop();
});
process.on('unhandledRejection', (error) => current.log(`unhandled ${show(error)}`));

async function main() {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    current = new Program(seed);
    await current.run();
  }
}

main();
