'use strict';
// fs.readdir with { recursive: true }: the folders below as well, one after the other, breadth first. A link to a folder
// counts as one.

const { later, now } = require('internal/fs/native');
const { isFolder } = require('internal/fs/stats');
const { Dirent, constants: { UV_DIRENT_DIR, UV_DIRENT_LINK }, decodeName, wantsBytes } = require('internal/fs/utils');
const { Buffer } = require('buffer');
const pathModule = require('path');

function leadsToFolder(path) {
  try {
    return isFolder(now('stat', path, false));
  } catch {
    return false;
  }
}

const kSlash = 47;

function toBytes(path) {
  return typeof path === 'string' ? Buffer.from(path) : path;
}

function append(folder, name) {
  if (typeof folder === 'string' && typeof name === 'string') return `${folder}/${name}`;
  const bytes = toBytes(folder);
  const between = bytes[bytes.length - 1] === kSlash ? '' : '/';
  return Buffer.concat([bytes, Buffer.from(between), toBytes(name)]);
}

// As the parentPath of an entry, where strings are normalised and bytes are not.
function join(folder, name) {
  if (typeof folder === 'string' && typeof name === 'string') return pathModule.join(folder, name);
  return append(folder, name);
}

class Collection {
  constructor(path, { encoding, withFileTypes }) {
    this.root = path;
    this.encoding = encoding;
    this.withFileTypes = withFileTypes;
    this.inBytes = typeof path !== 'string' || wantsBytes(encoding);
    // To be read. `below`: the path without that of the root.
    this.folders = [{ path, shown: path, below: undefined }];
    this.result = [];
  }

  request() {
    return [this.folders[0].path, true, this.inBytes];
  }

  took([names, types]) {
    // Not valid UTF-8: by this name it would not be found. Reads the folder again.
    if (!this.inBytes && names.some((name) => name.includes('\ufffd'))) {
      this.inBytes = true;
      return;
    }
    const folder = this.folders.shift();
    for (let i = 0; i < names.length; i++) {
      const found = decodeName(names[i], 'buffer'); // or a string
      const name = decodeName(found, this.encoding);
      const below = folder.below === undefined ? found : append(folder.below, found);
      if (this.withFileTypes) this.result.push(new Dirent(name, types[i], folder.shown));
      else this.result.push(decodeName(below, this.encoding));
      if (types[i] !== UV_DIRENT_DIR && types[i] !== UV_DIRENT_LINK) continue;
      const shown = join(this.root, decodeName(below, this.encoding));
      const path = this.inBytes ? append(folder.path, found) : shown;
      if (types[i] === UV_DIRENT_LINK && !leadsToFolder(path)) continue;
      this.folders.push({ path, shown, below });
    }
  }
}

function readdirSync(path, options) {
  const all = new Collection(path, options);
  while (all.folders.length > 0) all.took(now('readdir', ...all.request()));
  return all.result;
}

function readdir(path, options, callback) {
  const all = new Collection(path, options);
  const next = () => {
    if (all.folders.length === 0) {
      callback(null, all.result);
      return;
    }
    later('readdir', (error, found) => {
      if (error !== null) {
        callback(error);
        return;
      }
      all.took(found);
      next();
    }, ...all.request());
  };
  next();
}

module.exports = { readdir, readdirSync };
