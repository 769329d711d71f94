// rondo-test: option=--tls-min-v1.3 option=--tls-max-v1.2
'use strict';
console.log('not reached');
