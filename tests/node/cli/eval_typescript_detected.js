// rondo-test: no-file option=-e option={source}
interface Point { x: number }
const point: Point = { x: 1 };
console.log(point, typeof require);
