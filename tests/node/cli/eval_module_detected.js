// rondo-test: no-file option=-e option="import p from 'path'; console.log(p.sep, typeof require)"
