const util = require('util');
class Money {
  constructor(n) { this.n = n; }
  [util.inspect.custom](depth, options, inspect) { return `Money<${this.n}> ${depth} ${typeof options.stylize} ${inspect === util.inspect}`; }
}
console.log(new Money(5), [new Money(6)], { deep: { deeper: { m: new Money(7) } } });
console.log({ [util.inspect.custom]() { return { replaced: 1 }; } }, { inspect() { return 'old way, not called'; } });
