// rondo-test: no-file option=--input-type=module option=-e option={source}
import assert from 'node:assert';
assert(await 0);
