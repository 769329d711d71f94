'use strict';
// Addresses as text.

const kByte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const kV4 = new RegExp(`^${kByte}(?:\\.${kByte}){3}$`);
const kGroup = /^[0-9a-fA-F]{1,4}$/;

function isIPv4(text) {
  return kV4.test(`${text}`);
}

// How many of the eight groups a row of them makes up; NaN if it is none.
function countGroups(row, mayEndInV4) {
  if (row === '') return 0;
  const parts = row.split(':');
  let count = 0;
  for (let i = 0; i < parts.length; i++) {
    if (kGroup.test(parts[i])) count++;
    else if (mayEndInV4 && i === parts.length - 1 && kV4.test(parts[i])) count += 2;
    else return NaN;
  }
  return count;
}

function isIPv6(text) {
  text = `${text}`;
  const percent = text.indexOf('%');
  if (percent !== -1) {
    if (!/^%[0-9a-zA-Z-.:]{1,}$/.test(text.slice(percent))) return false;
    text = text.slice(0, percent);
  }
  const gap = text.indexOf('::');
  if (gap === -1) return countGroups(text, true) === 8;
  if (text.indexOf('::', gap + 1) !== -1) return false;
  const before = text.slice(0, gap);
  const after = text.slice(gap + 2);
  return countGroups(before, false) + countGroups(after, true) <= 7;
}

function isIP(text) {
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

module.exports = { isIP, isIPv4, isIPv6 };
