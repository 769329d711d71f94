'use strict';
// Settings as bytes, and which values are accepted.
const http2 = require('http2');

const show = (settings) => console.log(http2.getPackedSettings(settings).toString('hex'));
const attempt = (what) => {
  try {
    console.log(what());
  } catch (error) {
    console.log(error.name, error.code, error.message, error.actual, error.min, error.max);
  }
};
console.log(http2.getDefaultSettings(), Object.getPrototypeOf(http2.getDefaultSettings()));
show();
show({});
show({ maxHeaderListSize: 5, maxConcurrentStreams: 10, enablePush: true, headerTableSize: 1 });
show({ enableConnectProtocol: true, maxFrameSize: 16384, initialWindowSize: 0, enablePush: false });
show({ customSettings: { 1000: 5, 77: 2 ** 32 - 1 } });
show({ maxHeaderSize: 10, maxHeaderListSize: 10 });
for (const settings of [
  { headerTableSize: -1 }, { headerTableSize: 2 ** 32 }, { initialWindowSize: 2 ** 31 }, { maxFrameSize: 16383 },
  { maxFrameSize: 2 ** 24 }, { maxConcurrentStreams: '1' }, { maxHeaderListSize: NaN }, { maxHeaderListSize: Infinity },
  { enablePush: 1 }, { enableConnectProtocol: 'yes' }, { customSettings: { 70000: 1 } }, { customSettings: { 70: -1 } },
  { customSettings: { 0: 1 } }, { customSettings: { a: 1 } }, { customSettings: [] }, { customSettings: 5 }, [], 1,
]) {
  attempt(() => http2.getPackedSettings(settings).toString('hex'));
}
attempt(() => http2.getPackedSettings({ customSettings: Object.fromEntries([...Array(11)].map((_, i) => [100 + i, 1])) }));
const packed = Buffer.from('00010000000500020000000100030000000a000400000064000500004e2000060000006400080000000003e800000001', 'hex');
console.log(http2.getUnpackedSettings(packed));
console.log(http2.getUnpackedSettings(new Uint16Array([0, 2, 0, 0, 0, 0])));
attempt(() => http2.getUnpackedSettings(Buffer.alloc(5)));
attempt(() => http2.getUnpackedSettings('abcdef'));
attempt(() => http2.getUnpackedSettings(new DataView(new ArrayBuffer(6))));
attempt(() => http2.getUnpackedSettings(Buffer.from('000500000001', 'hex')));
attempt(() => http2.getUnpackedSettings(Buffer.from('000500000001', 'hex'), { validate: true }));
