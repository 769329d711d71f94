// rondo-test: no-file option=--input-type=module option=-e option="import p from 'path'; console.log(p.sep, typeof require, await 5)"
