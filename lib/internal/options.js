'use strict';
// The options of the command line, as src/cli parsed them: name -> value.

let options = Object.create(null);

module.exports = {
  setOptions(values) {
    options = values;
  },
  // undefined for an option that was not given and has no default.
  getOptionValue(name) {
    return options[name];
  },
};
