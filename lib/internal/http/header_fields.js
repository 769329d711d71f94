'use strict';
// From the header lines of a message, as they came, to message.headers: which fields are lists,
// which are taken once, which are an array. Names are lower case there.

const kList = 0; // several lines are joined by ', '
const kOnce = 1; // the first one counts, unless joinDuplicateHeaders says otherwise
const kCookie = 2; // joined by '; '
const kArray = 3;

// A field that is not here is a list.
const kinds = new Map([
  ...`age authorization content-length content-type etag expires from host if-modified-since
    if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after
    server user-agent`.split(/\s+/).map((name) => [name, kOnce]),
  ['cookie', kCookie],
  ['set-cookie', kArray],
]);

// As they are usually written, and in lower case: { name, kind } without toLowerCase().
const known = new Map();

function knowField(written) {
  const name = written.toLowerCase();
  const field = { name, kind: kinds.get(name) ?? kList };
  known.set(written, field);
  known.set(name, field);
}

const kUsual = `Age Host From ETag Date Vary Server Cookie Origin Expect Accept Referer Expires Upgrade Location
  If-Match User-Agent Set-Cookie Connection Retry-After Content-Type Max-Forwards Authorization
  Last-Modified Cache-Control If-None-Match Content-Length Accept-Encoding Accept-Language
  X-Forwarded-For Content-Encoding X-Forwarded-Host If-Modified-Since Transfer-Encoding X-Forwarded-Proto
  Proxy-Authorization If-Unmodified-Since Keep-Alive Pragma Link`;
for (const written of kUsual.split(/\s+/)) knowField(written);

// Adds a line to `dest`, which is message.headers or message.trailers.
function addHeaderLine(written, value, dest, joinsDuplicates) {
  const field = known.get(written);
  const name = field !== undefined ? field.name : written.toLowerCase();
  const kind = field !== undefined ? field.kind : kinds.get(name) ?? kList;
  const before = dest[name];
  switch (kind) {
    case kList:
    case kCookie:
      // Not a string: nothing yet, or a property of Object.prototype.
      dest[name] = typeof before === 'string' ?
        before + (kind === kList ? ', ' : '; ') + value : value;
      break;
    case kArray:
      if (before !== undefined) before.push(value);
      else dest[name] = [value];
      break;
    default:
      if (before === undefined) dest[name] = value;
      else if (joinsDuplicates) dest[name] = `${before}, ${value}`;
  }
}

// For message.headersDistinct: an array for each.
function addDistinctLine(written, value, dest) {
  const name = written.toLowerCase();
  if (dest[name]) dest[name].push(value);
  else dest[name] = [value];
}

module.exports = { addDistinctLine, addHeaderLine };
