for (const args of [[], [1], ['x', 1], ['x', 'T', 1], ['x', { type: 1, detail: 2 }]]) {
  try {
    process.emitWarning(...args);
    console.log('accepted', args);
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
