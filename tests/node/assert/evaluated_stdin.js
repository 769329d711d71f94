// rondo-test: no-file option=- stdin={source}
require('assert')(false);
