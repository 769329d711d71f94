// rondo-test: no-file option=--input-type=module stdin={source}
import path from 'path';
console.log(path.sep, import.meta.url.slice(0, 5));
