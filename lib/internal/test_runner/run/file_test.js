'use strict';
// A file of tests, run by a process of its own. What that process prints is text, and among it events of its
// tests, as the reporter v8_serializer writes them:
//
//     header of V8's serializer | size of the rest, 4 bytes | header | { type, data }

const path = require('path');
const { DefaultDeserializer, DefaultSerializer } = require('v8');
const { Buffer } = require('buffer');
const { cancelled, kinds } = require('internal/test_runner/failure');
const { fromBytes } = require('internal/test_runner/error_bytes');
const { count } = require('internal/test_runner/summary');
const { Test } = require('internal/test_runner/test');

const serializer = new DefaultSerializer();
serializer.writeHeader();
const header = serializer.releaseBuffer();
const kBeforeMessage = header.length + 4;

// These are reported as they happen; the others in the order of the files.
const immediate = new Set(['test:enqueue', 'test:dequeue', 'test:complete', 'test:log']);
// The last lines of each file; there is one for all files.
const kSummaryLine = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \S*$/;

class FileTest extends Test {
  failedSubtests = false;
  #items = []; // until this file is reported
  #bytes = Buffer.alloc(0); // not understood yet
  #children = 0; // tests that were reported

  constructor(options) {
    super(options);
    this.location ??= { __proto__: null, line: 1, column: 1, file: path.resolve(this.name) };
    this.timeout = null;
  }

  // ---- Reading ----

  parseMessage(chunk) {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(chunk) :
      Buffer.concat([this.#bytes, chunk]);
    this.#parse(false);
  }

  #parse(isEnd) {
    while (this.#bytes.length > 0) {
      const start = this.#bytes.indexOf(header);
      if (start !== 0) {
        this.#takeText(this.#textBefore(start, isEnd));
        if (start === -1) return;
        continue;
      }
      const size = this.#messageSize();
      if (size === undefined) {
        if (!isEnd) return;
        this.#takeText(1); // it only looked like a message
        continue;
      }
      const message = this.#bytes.subarray(kBeforeMessage, size);
      this.#bytes = this.#bytes.subarray(size);
      const deserializer = new DefaultDeserializer(message);
      deserializer.readHeader();
      this.addToReport(deserializer.readValue());
    }
  }

  // How many bytes are text. The last one may be the beginning of a header.
  #textBefore(start, isEnd) {
    if (start !== -1) return start;
    const { length } = this.#bytes;
    return !isEnd && this.#bytes[length - 1] === header[0] ? length - 1 : length;
  }

  #takeText(length) {
    if (length === 0) return;
    const message = this.#bytes.toString('utf8', 0, length);
    this.#bytes = this.#bytes.subarray(length);
    this.addToReport({
      __proto__: null, type: 'test:stdout', data: { __proto__: null, file: this.name, message },
    });
  }

  // With what comes before it; undefined if it is not there as a whole.
  #messageSize() {
    if (this.#bytes.length < kBeforeMessage) return undefined;
    const size = this.#bytes.readUInt32BE(header.length) + kBeforeMessage;
    return this.#bytes.length < size ? undefined : size;
  }

  // ---- Reporting ----

  addToReport(item) {
    if (immediate.has(item.type)) {
      this.#reportItem(item);
      return;
    }
    if (item.type === 'test:pass' || item.type === 'test:fail') {
      this.#children++;
      if (item.type === 'test:fail' && item.data.nesting === 0) this.failedSubtests = true;
    }
    if (!this.mayReport()) {
      this.#items.push(item);
      return;
    }
    this.#reportItems();
    this.#reportItem(item);
  }

  #reportItems() {
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#reportItem(item);
  }

  #reportItem({ type, data }) {
    if (this.name !== '') data.entryFile = this.location.file;
    const isTopLevel = data.nesting === 0;
    if (isTopLevel && type === 'test:plan' && this.#isReportedByTests) return;
    if (isTopLevel && type === 'test:diagnostic' && kSummaryLine.test(data.message)) return;
    if (data.details?.error) data.details.error = fromBytes(data.details.error);
    if (type === 'test:pass' || type === 'test:fail') this.#countItem(type, data, isTopLevel);
    this.reporter.reportEvent(type, data);
  }

  #countItem(type, data, isTopLevel) {
    const { harness } = this.root;
    if (isTopLevel) data.testNumber = harness.counters.topLevel + 1;
    count(harness, {
      __proto__: null,
      nesting: data.nesting,
      reportedType: data.details?.type,
      skipped: data.skip !== undefined,
      isTodo: data.todo !== undefined,
      passed: type === 'test:pass',
      cancelled: cancelled.has(data.details?.error?.failureType),
    });
  }

  // The tests speak for the file, unless something else failed.
  get #isReportedByTests() {
    return this.#children > 0 && (!this.error || this.error.failureType === kinds.subtests);
  }

  reportStarted() {}

  drain() {
    this.#parse(true);
    this.#reportItems();
  }

  report() {
    this.drain();
    if (this.#isReportedByTests) return;
    super.reportStarted();
    super.report();
  }
}

module.exports = { FileTest };
