'use strict';
// fs.readdir with { recursive: true }: the folders below as well, one after the other, breadth first. A link to a folder
// counts as one.

const { later, now } = require('internal/fs/native');
const { isFolder } = require('internal/fs/stats');
const { constants: { UV_DIRENT_DIR, UV_DIRENT_LINK }, decodeName, toEntries, wantsBytes } = require('internal/fs/utils');
const pathModule = require('path');

function leadsToFolder(path) {
  try {
    return isFolder(now('stat', path, false));
  } catch {
    return false;
  }
}

class Collection {
  constructor(path, { encoding, withFileTypes }) {
    this.root = path;
    this.encoding = encoding;
    this.withFileTypes = withFileTypes;
    this.folders = [path]; // to be read
    this.result = [];
  }

  request() {
    return [this.folders[0], true, wantsBytes(this.encoding)];
  }

  took([names, types]) {
    const folder = this.folders.shift();
    names = names.map((name) => decodeName(name, this.encoding));
    if (this.withFileTypes) this.result.push(...toEntries([names, types], folder, this.encoding));
    for (let i = 0; i < names.length; i++) {
      const path = pathModule.join(folder, `${names[i]}`);
      if (!this.withFileTypes) this.result.push(pathModule.relative(this.root, path));
      if (types[i] === UV_DIRENT_DIR || (types[i] === UV_DIRENT_LINK && leadsToFolder(path))) this.folders.push(path);
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
