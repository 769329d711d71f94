class Shape {
  #hidden() { return new Error('private').stack; }
  get area() { return new Error('getter').stack; }
  static create() { return new Error('static').stack; }
  constructor(f) { if (f) this.stack = new Error('constructor').stack; }
  run() { return this.#hidden(); }
}
const first = (stack) => console.log(stack.split('\n').slice(0, 2).join('\n'));
first(new Shape().area);
first(Shape.create());
first(new Shape(true).stack);
first(new Shape().run());
first([1].map(() => new Error('in map').stack)[0]);
