// What can be wrong with a data: URL, and what its modules cannot import.
const attempt = (url, options) => import(url, options).then((found) => console.log(url, { ...found }),
  (error) => console.log(url, error.name, error.code, error.message, error.cause?.code));
await attempt('data:text/javascript');
await attempt('data:,x');
await attempt('data:text/plain,x');
await attempt('data:TEXT/JavaScript,export default 1');
await attempt('data:text/javascript; charset=utf-8,export default 2');
await attempt('data:text/javascript,import "./x.mjs"');
await attempt('data:text/javascript,import "some-package"');
await attempt('data:text/javascript,import "fs"; export default 3');
await attempt('data:text/javascript,throw new RangeError("inside")');
await attempt('data:application/json,{"a":', { with: { type: 'json' } });
await attempt('data:text/javascript,export default import.meta.resolve("fs")');
await attempt('data:text/javascript,export default import.meta.resolve("./x")');
