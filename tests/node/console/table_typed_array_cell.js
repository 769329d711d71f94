console.table([{ numbers: new Float64Array(5), bytes: new Uint8Array(2), many: { a: 1, b: 2, c: 3 } }]);
