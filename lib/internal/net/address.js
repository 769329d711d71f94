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

// ---- As numbers ----

function v4Number(text) {
  return text.split('.').reduce((number, byte) => number << 8n | BigInt(byte), 0n);
}

// The groups of a row, as one number, and how many they are.
function rowNumber(row) {
  let number = 0n;
  let count = 0;
  for (const part of row === '' ? [] : row.split(':')) {
    const isV4 = part.includes('.');
    number = isV4 ? number << 32n | v4Number(part) : number << 16n | BigInt(`0x${part}`);
    count += isV4 ? 2 : 1;
  }
  return { number, count };
}

// A valid address as a number of 128 bits; one of IPv4 as IPv6 maps it. A zone is passed over.
function parseAddress(text) {
  if (!text.includes(':')) return 0xffff_0000_0000n | v4Number(text);
  const [before, after = ''] = text.split('%')[0].split('::');
  const front = rowNumber(before);
  const back = rowNumber(after);
  return front.number << BigInt(16 * (8 - front.count)) | back.number;
}

// A number of 128 bits as the text of an IPv6 address: the longest row of zeros is left out, and
// an embedded IPv4 address ends in one.
function formatAddress(number) {
  const groups = Array.from({ length: 8 }, (_, i) => Number(number >> BigInt(16 * (7 - i)) & 0xffffn));
  let best = { begin: -1, length: 1 };
  for (let begin = 0; begin < 8; begin++) {
    let end = begin;
    while (groups[end] === 0) end++;
    if (end - begin > best.length) best = { begin, length: end - begin };
  }
  const hex = groups.map((group) => group.toString(16));
  const endsInV4 = best.begin === 0 && (best.length === 6 || best.length === 5 && groups[5] === 0xffff);
  if (endsInV4) {
    const [high, low] = groups.slice(6);
    hex.splice(6, 2, `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
  }
  if (best.begin === -1) return hex.join(':');
  return `${hex.slice(0, best.begin).join(':')}::${hex.slice(best.begin + best.length).join(':')}`;
}

module.exports = { formatAddress, isIP, isIPv4, isIPv6, parseAddress };
