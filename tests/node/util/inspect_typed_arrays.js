console.log(new Uint8Array(3), new Float64Array([1.5, -0]), new BigInt64Array(1), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)), new SharedArrayBuffer(1));
