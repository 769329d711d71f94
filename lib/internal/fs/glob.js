'use strict';
// fs.glob(), fs.globSync() and fs.promises.glob(). What a pattern means is minimatch's business (the package, as Node
// has it); here is the walk through the folders. It is a generator that yields questions, [method, path], and takes the
// answers: globSync() asks at once, the others later. A result is yielded as a Match.

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { Dirent, typeOfMode } = require('internal/fs/utils');
const { toPathIfFileURL } = require('internal/url');
const { SafeMap, SafeSet } = require('internal/util/safe');
const { validateBoolean, validateFunction, validateInteger, validateObject, validateString } = require('internal/validators');
const fs = require('fs');
const { basename, dirname, isAbsolute, join, relative, resolve, sep } = require('path');

let minimatch;

function lazyMinimatch() {
  return minimatch ??= require('internal/deps/minimatch/index');
}

function isGlobStar(part) {
  return part === lazyMinimatch().GLOBSTAR;
}

function createMatcher(pattern, options) {
  return new (lazyMinimatch().Minimatch)(pattern, {
    __proto__: null,
    nocase: false,
    nocaseMagicOnly: true,
    nocomment: true,
    nonegate: true,
    optimizationLevel: 2,
    platform: process.platform,
    windowsPathsNoEscape: true,
    ...options,
  });
}

// ---- Options ---------------------------------------------------------------------------------

function validateExclude(exclude) {
  if (typeof exclude === 'function') return;
  const name = 'options.exclude';
  if (!Array.isArray(exclude)) throw new ERR_INVALID_ARG_TYPE(name, ['string[]', 'function'], exclude);
  exclude.forEach((one, index) => {
    if (typeof one !== 'string') throw new ERR_INVALID_ARG_TYPE(`${name}[${index}]`, 'string', one);
  });
}

function toPatterns(pattern) {
  if (typeof pattern !== 'object') {
    validateString(pattern, 'patterns');
    return [pattern];
  }
  if (!Array.isArray(pattern)) throw new ERR_INVALID_ARG_TYPE('patterns', 'Array', pattern);
  pattern.forEach((one, index) => validateString(one, `patterns[${index}]`));
  return pattern;
}

// ---- How far a pattern has been matched ------------------------------------------------------

// `indexes`: the parts of the pattern that what is in the folder may match. There may be several, because '**' stands for
// any number of folders.
class Position {
  constructor(parts, texts, indexes, links = new SafeSet(), trail = new SafeSet()) {
    this.parts = parts;
    this.texts = texts;
    this.indexes = indexes;
    this.links = links; // of the indexes, those that came through a symbolic link
    this.trail = trail; // where following links has led so far
    this.last = parts.length - 1;
  }

  at(index) {
    return this.parts.at(index);
  }

  from(index) {
    return this.with(new SafeSet([index]));
  }

  with(indexes, links, trail = this.trail) {
    return new Position(this.parts, this.texts, indexes, links, trail);
  }

  get isAbsolute() {
    return isAbsolute(this.texts.join(sep));
  }

  get mayFollowLink() {
    return [...this.indexes].some((index) => !this.links.has(index));
  }

  isAtEnd(isFolder) {
    return this.indexes.has(this.last) || (isFolder && this.at(-1) === '' &&
      this.indexes.has(this.last - 1) && isGlobStar(this.at(-2)));
  }

  // The only part it is at, if that is a name.
  get onlyName() {
    if (this.indexes.size !== 1) return undefined;
    const [index] = this.indexes;
    const part = this.at(index);
    return typeof part === 'string' ? part : undefined;
  }

  matches(index, name) {
    const part = this.parts[index];
    if (isGlobStar(part)) return true;
    if (typeof part === 'string') return part === name;
    return typeof part?.test === 'function' && part.test(name);
  }

  // What is left of the pattern, as text.
  rest(index) {
    return this.texts.slice(index).join('/');
  }
}

class Match {
  constructor(path, entry) {
    this.path = path;
    this.entry = entry;
  }
}

// ---- The walk --------------------------------------------------------------------------------

function isOutside(path) {
  return isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`);
}

function depthOf(path) {
  if (path === '') return 0;
  return isAbsolute(path) ? Infinity : path.split(sep).length;
}

class Walk {
  #root;
  #withFileTypes;
  #followSymlinks = false;
  #maxDepth = Infinity;
  #exclude; // the program's function
  #isExcluded = () => false;
  #positions;
  #answers = new SafeMap(); // of questions asked before
  #visited = new SafeMap(); // path -> what was left to match there
  #found = new SafeSet();
  #next = new SafeMap(); // path -> positions

  constructor(pattern, options = {}) {
    validateObject(options, 'options');
    const { exclude, cwd, followSymlinks, maxDepth, withFileTypes } = options;
    this.#root = toPathIfFileURL(cwd) ?? '.';
    if (followSymlinks != null) {
      validateBoolean(followSymlinks, 'options.followSymlinks');
      this.#followSymlinks = followSymlinks;
    }
    if (maxDepth != null && maxDepth !== Infinity) {
      validateInteger(maxDepth, 'options.maxDepth', 0);
      this.#maxDepth = maxDepth;
    }
    this.#withFileTypes = Boolean(withFileTypes);
    if (exclude != null) {
      validateExclude(exclude);
      if (typeof exclude === 'function') {
        this.#exclude = exclude;
      } else {
        const matchers = exclude.map((one) => createMatcher(resolve(this.#root, one), { nocaseMagicOnly: false }));
        this.#isExcluded = (path) => matchers.some((matcher) => matcher.match(path));
      }
    }
    this.#positions = toPatterns(pattern).map((one) => createMatcher(one)).flatMap(({ set, globParts }) =>
      set.map((parts, index) => new Position(parts, globParts[index], new SafeSet([0]))));
  }

  *steps() {
    const queue = [['.', this.#positions]];
    while (queue.length > 0) {
      const [path, positions] = queue.pop();
      for (const position of positions) yield* this.#visit(path, position);
      this.#next.forEach((value, key) => queue.push([key, value]));
      this.#next.clear();
    }
  }

  toResult({ path, entry }) {
    return this.#withFileTypes ? entry : path;
  }

  // The synchronous form gives the folder of an entry relative to the working directory, as Node does.
  toResultNow({ path }) {
    if (!this.#withFileTypes) return path;
    return answerNow(['lstat', isAbsolute(path) ? path : join(this.#root, path)]);
  }

  // ---- Asking ----

  *#ask(method, path) {
    const key = `${method} ${path}`;
    if (!this.#answers.has(key)) this.#answers.set(key, yield [method, path]);
    return this.#answers.get(key);
  }

  *#isFolder(path, entry, position) {
    if (!entry?.isSymbolicLink()) return Boolean(entry?.isDirectory());
    if (!this.#followSymlinks) return position.mayFollowLink;
    return Boolean((yield* this.#ask('stat', path))?.isDirectory());
  }

  // ---- Noting ----

  // False if the rest of the pattern has been matched there before.
  #markVisited(path, position) {
    let rests = this.#visited.get(path);
    if (rests === undefined) this.#visited.set(path, rests = new SafeSet());
    const before = rests.size;
    position.indexes.forEach((index) => rests.add(position.rest(index)));
    return rests.size === before + position.indexes.size;
  }

  #wasVisited(path, position, index) {
    return Boolean(this.#visited.get(path)?.has(position.rest(index)));
  }

  #relative(path) {
    const root = resolve(this.#root);
    return relative(root, resolve(root, path));
  }

  *#result(path, entry) {
    if (this.#found.has(path)) return;
    if (this.#maxDepth !== Infinity && depthOf(this.#relative(path)) > this.#maxDepth) return;
    if (this.#isExcluded(resolve(this.#root, path))) return;
    this.#found.add(path);
    yield new Match(path, entry);
  }

  *#go(path, position) {
    if (this.#isExcluded(path)) return;
    const full = resolve(this.#root, path);
    if (this.#isExcluded(`${full}/`) && (yield* this.#ask('lstat', full))?.isDirectory()) return;
    if (this.#exclude !== undefined) {
      const value = this.#withFileTypes ? yield* this.#ask('lstat', path) : path;
      if (value !== null && this.#exclude(value)) return;
    }
    const positions = this.#next.get(path);
    if (positions === undefined) this.#next.set(path, [position]);
    else positions.push(position);
  }

  // ---- A folder ----

  *#visit(path, position) {
    if (!this.#markVisited(path, position)) return;
    const full = resolve(this.#root, path);
    const entry = yield* this.#ask('lstat', full);
    const isFolder = yield* this.#isFolder(full, entry, position);
    if (this.#isExcluded(full)) return;
    if (position.indexes.has(0)) {
      const start = { '': '/', '..': '../', '.': '.' }[position.at(0)];
      if (typeof position.at(0) === 'string' && start !== undefined) {
        yield* this.#go(start, position.from(1));
        return;
      }
    }
    if (position.isAtEnd(isFolder) && (yield* this.#end(path, full, entry, isFolder, position))) return;
    if (!isFolder || !this.#mayDescend(path, position)) return;
    let { trail } = position;
    if (this.#followSymlinks) {
      const real = yield* this.#ask('realpath', full);
      if (real !== null && trail.has(real)) return;
      trail = new SafeSet([...trail]);
      if (real !== null) trail.add(real);
    }
    for (const child of yield* this.#children(full, position)) {
      const childFull = join(full, child.name);
      this.#answers.set(`lstat ${childFull}`, child);
      yield* this.#visitChild(path, full, position, child, trail);
    }
  }

  // The last part of the pattern. True if nothing is left to look for.
  *#end(path, full, entry, isFolder, position) {
    const name = position.at(-1);
    if (typeof name === 'string') {
      const named = yield* this.#ask('lstat', join(full, name));
      if (named && (name || isFolder)) yield* this.#result(join(path, name), named);
      return position.indexes.size === 1 && position.indexes.has(position.last);
    }
    if (isGlobStar(name) && (path !== '.' || position.at(0) === '.' || (position.last === 0 && entry))) {
      yield* this.#result(path, entry);
    }
    return false;
  }

  #mayDescend(path, position) {
    if (this.#maxDepth === Infinity) return true;
    const root = resolve(this.#root);
    const toRoot = relative(resolve(root, path), root);
    if (position.isAbsolute && toRoot !== '' && !isOutside(toRoot)) return true;
    return depthOf(this.#relative(path)) < this.#maxDepth;
  }

  *#children(full, position) {
    const name = position.onlyName;
    if (name === undefined) return yield* this.#ask('readdir', full);
    const child = yield* this.#ask('lstat', join(full, name));
    if (!child) return [];
    child.name = name;
    return [child];
  }

  *#visitChild(path, full, position, child, trail) {
    const childPath = join(path, child.name);
    const isFolder = child.isDirectory() || (this.#followSymlinks && child.isSymbolicLink() &&
      Boolean((yield* this.#ask('stat', join(full, child.name)))?.isDirectory()));
    const indexes = new SafeSet();
    const links = new SafeSet();
    for (const index of position.indexes) {
      const part = position.at(index);
      if (isGlobStar(part)) {
        yield* this.#globStar(path, full, position, index, child, isFolder, indexes, links);
      } else if (typeof part === 'string') {
        if (index !== position.last && part === child.name) {
          indexes.add(index + 1);
        } else if (part === '.' && position.matches(index + 1, child.name)) {
          if (index + 1 === position.last) yield* this.#result(childPath, child);
          else indexes.add(index + 2);
        }
      } else if (position.matches(index, child.name)) {
        if (index === position.last) yield* this.#result(childPath, child);
        else if (isFolder) indexes.add(index + 1);
      }
    }
    if (indexes.size > 0) yield* this.#go(childPath, position.with(indexes, links, trail));
  }

  // A child where the pattern is at '**'.
  *#globStar(path, full, position, index, child, isFolder, indexes, links) {
    const { last } = position;
    const next = index + 1;
    const childPath = join(path, child.name);
    const throughLink = !this.#followSymlinks && position.links.has(index);
    const nextMatches = position.matches(next, child.name);
    if (child.name[0] === '.') {
      let other = next; // after all the '**'
      while (isGlobStar(position.at(other))) other++;
      if (!position.matches(other, child.name)) return;
    }
    if (this.#exclude?.(this.#withFileTypes ? child : child.name)) return;
    if (!throughLink && isFolder) indexes.add(index);
    else if (!throughLink && index === last) yield* this.#result(childPath, child);

    if (nextMatches && next === last && !position.isAtEnd(true)) yield* this.#result(childPath, child);
    else if (nextMatches && isFolder) indexes.add(index + 2);
    if ((nextMatches || position.at(0) === '.') && isFolder && !throughLink) indexes.add(next);
    if (!this.#followSymlinks && child.isSymbolicLink()) links.add(index);
    if (position.at(next) === '..' && isFolder) yield* this.#globStarUp(path, full, position, next);
  }

  // '**/..': the folder itself, and the one above it.
  *#globStarUp(path, full, position, next) {
    const above = join(path, '..');
    if (next < position.last) {
      for (const one of [path, above]) {
        if (this.#next.has(one) || this.#wasVisited(one, position, next + 1)) continue;
        this.#next.set(one, [position.from(next + 1)]);
      }
      return;
    }
    const wasHere = this.#wasVisited(path, position, next);
    if (!wasHere) {
      this.#markVisited(path, position.from(next));
      yield* this.#result(path, yield* this.#ask('lstat', full));
    }
    if (!this.#wasVisited(above, position, next)) {
      this.#markVisited(above, position.from(next));
      yield* this.#result(above, yield* this.#ask('lstat', join(this.#root, above)));
    }
  }
}

// ---- Answers ---------------------------------------------------------------------------------

function toEntry(path, stats) {
  return new Dirent(basename(path), typeOfMode(stats.mode), dirname(path));
}

// The result of the file system, or a value for its refusal.
const kNothing = { __proto__: null, lstat: null, stat: null, realpath: null, readdir: Object.freeze([]) };

function answerNow([method, path]) {
  try {
    if (method === 'readdir') return fs.readdirSync(path, { __proto__: null, withFileTypes: true });
    const answer = fs[`${method}Sync`](path);
    return method === 'lstat' ? toEntry(path, answer) : answer;
  } catch {
    return kNothing[method];
  }
}

async function answerLater([method, path]) {
  try {
    if (method === 'readdir') return await fs.promises.readdir(path, { __proto__: null, withFileTypes: true });
    const answer = await fs.promises[method](path);
    return method === 'lstat' ? toEntry(path, answer) : answer;
  } catch {
    return kNothing[method];
  }
}

// ---- node:fs ---------------------------------------------------------------------------------

function globSync(pattern, options) {
  const walk = new Walk(pattern, options);
  const steps = walk.steps();
  const results = [];
  for (let step = steps.next(); !step.done;) {
    const isMatch = step.value instanceof Match;
    if (isMatch) results.push(walk.toResultNow(step.value));
    step = steps.next(isMatch ? undefined : answerNow(step.value));
  }
  return results;
}

async function* iterate(walk) {
  const steps = walk.steps();
  for (let step = steps.next(); !step.done;) {
    const isMatch = step.value instanceof Match;
    if (isMatch) yield walk.toResult(step.value);
    step = steps.next(isMatch ? undefined : await answerLater(step.value));
  }
}

async function* promisedGlob(pattern, options) {
  yield* iterate(new Walk(pattern, options));
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'cb');
  Array.fromAsync(iterate(new Walk(pattern, options))).then(
    (results) => callback(null, results), (error) => callback(error));
}

module.exports = { createMatcher, glob, globSync, promisedGlob };
