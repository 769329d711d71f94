// rondo-test: option=--no-network-family-autoselection option=--network-family-autoselection-attempt-timeout=123
'use strict';
// The defaults of connect() from the command line, and set by the program.
const net = require('net');

console.log(net.getDefaultAutoSelectFamily(), net.getDefaultAutoSelectFamilyAttemptTimeout());
net.setDefaultAutoSelectFamily(true);
net.setDefaultAutoSelectFamilyAttemptTimeout(1);
console.log(net.getDefaultAutoSelectFamily(), net.getDefaultAutoSelectFamilyAttemptTimeout());
