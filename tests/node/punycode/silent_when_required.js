require('punycode');
