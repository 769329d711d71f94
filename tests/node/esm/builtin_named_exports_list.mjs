import * as string_decoder from 'string_decoder';
import * as punycodeless from 'node:querystring';
console.log(Object.keys(string_decoder), Object.keys(punycodeless));
