class MyWarning extends Error { constructor(m) { super(m); this.name = 'MyWarning'; this.code = 'MY'; } }
process.emitWarning(new MyWarning('from a class'));
