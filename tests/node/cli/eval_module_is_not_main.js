// rondo-test: no-file option=-e option="import 'fs'; console.log(import.meta.main, typeof require, import.meta.url.endsWith('[eval1]'))"
// A text that was recognised as a module is not the main module.
