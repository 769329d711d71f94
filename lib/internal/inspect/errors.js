'use strict';
// Errors as inspect shows them: the stack, with the name corrected, frames shared with the cause left
// out, and in colour the frames of the runtime greyed and package names underlined.

const { isNativeError } = binding('types');
const { prefix } = require('internal/inspect/names');

const kFrame = '\n    at';
const kMostUsualFrames = 10;
const kShortestRepetition = 3;
const kRuntimeFrame = /^ {4}at (?:[^/\\(]+ \()?node:(.+):\d+:\d+\)?$/;
const kPackage = /[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)(?=[/\\])/g;

const { hasOwn } = Object;
const errorToString = Function.prototype.call.bind(Error.prototype.toString);

function isError(value) {
  return isNativeError(value) || value instanceof Error;
}

// What a property says; `kThrows` for a getter that throws.
const kThrows = Symbol('kThrows');
function read(error, key) {
  try {
    return error[key];
  } catch {
    return kThrows;
  }
}

function stackOf(ctx, error, formatValue) {
  const stack = read(error, 'stack');
  if (!stack || stack === kThrows) return errorToString(error);
  if (typeof stack === 'string') return stack;
  ctx.seen.push(error);
  ctx.indentation += 4;
  const shown = formatValue(ctx, stack, undefined);
  ctx.indentation -= 4;
  ctx.seen.pop();
  return `${errorToString(error)}\n    ${shown}`;
}

const kSaidKeys = ['stack', 'message', 'name'];

// Properties whose text is in the stack already are not listed again; own cause and errors always are,
// though they are not enumerable.
function chooseKeys(ctx, keys, error, stack) {
  if (!ctx.showHidden && keys.length !== 0) {
    for (let i = 0; i < kSaidKeys.length; i++) {
      const key = kSaidKeys[i];
      const index = keys.indexOf(key);
      if (index === -1) continue;
      const value = key === 'stack' ? undefined : read(error, key);
      const isSaid = value !== kThrows && (typeof value !== 'string' || stack.includes(value));
      if (isSaid) keys.splice(index, 1);
    }
  }
  if (hasOwn(error, 'cause') && !keys.includes('cause')) keys.push('cause');
  if (hasOwn(error, 'errors') && Array.isArray(read(error, 'errors')) && !keys.includes('errors')) {
    keys.push('errors');
  }
}

// A class that extends Error has "Error" in its stack unless it set `name`: show the class.
function nameTheClass(stack, constructor, name, tag) {
  if (typeof name !== 'string') {
    return stack.replace(`${name}`, `${name} [${prefix(constructor, tag, 'Error').slice(0, -1)}]`);
  }
  let length = name.length;
  const startsWithName = name.endsWith('Error') && stack.startsWith(name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructor !== null && !startsWithName) return stack;
  let fallback = 'Error';
  if (constructor === null) {
    const start = /^([A-Z][\w [\]()-]+)(?::|\n {4}at)/.exec(stack) ??
      /^([\w-]*Error)$/.exec(stack);
    const found = start === null ? '' : start[1];
    length = found.length;
    fallback = found || 'Error';
  }
  const shown = prefix(constructor, tag, fallback).slice(0, -1);
  if (shown === name) return stack;
  if (!shown.includes(name)) return `${shown} [${name}]${stack.slice(length)}`;
  return length === 0 ? `${shown}: ${stack}` : `${shown}${stack.slice(length)}`;
}

// The longest run of lines that occurs in both, where the first list has it.
function sharedLines(lines, others) {
  for (let offset = 0; offset < lines.length - 3; offset++) {
    const start = others.indexOf(lines[offset]);
    if (start === -1) continue;
    const rest = others.length - start;
    if (rest <= 3) continue;
    let length = 1;
    const most = Math.min(lines.length - offset, rest);
    while (length < most && lines[offset + length] === others[start + length]) length++;
    if (length > 3) return { length, offset };
  }
  return { length: 0, offset: 0 };
}

// Frames of a recursion, from `start`: how many lines one level has, and how often it repeats. Of
// several ways to see it, the one that hides most.
function repetitionAt(frames, start) {
  let best = { length: 0, times: 0 };
  for (let next = frames.indexOf(frames[start], start + 1); next !== -1;
    next = frames.indexOf(frames[start], next + 1)) {
    const length = next - start;
    let same = 0;
    while (next + same < frames.length && frames[start + same] === frames[next + same]) same++;
    const times = Math.floor(same / length);
    if (times * length > best.times * best.length) best = { length, times };
  }
  return best;
}

function collapseRecursion(ctx, frames) {
  if (frames.length - new Set(frames).size <= kShortestRepetition) return frames;
  const shown = [];
  for (let i = 0; i < frames.length;) {
    const { length, times } = repetitionAt(frames, i);
    if (length * times < kShortestRepetition) {
      shown.push(frames[i++]);
      continue;
    }
    const which = times > 1 ? `${length} lines ${times} times...` : 'lines ...';
    const note = `    ... collapsed ${length * times} duplicate lines matching above ${which}`;
    for (let j = i; j < i + length; j++) shown.push(frames[j]);
    shown.push(ctx.stylize(note, 'undefined'));
    i += length * (times + 1);
  }
  return shown;
}

function framesOf(ctx, error, text, formatValue) {
  const frames = text.split('\n');
  hideCauseFrames(ctx, error, frames, formatValue);
  return frames.length > kMostUsualFrames ? collapseRecursion(ctx, frames) : frames;
}

function hideCauseFrames(ctx, error, frames, formatValue) {
  const cause = read(error, 'cause');
  if (cause === null || typeof cause !== 'object' || !isError(cause)) return;
  const causeStack = stackOf(ctx, cause, formatValue);
  const causeStart = causeStack.indexOf(kFrame);
  if (causeStart === -1) return;
  const { length, offset } = sharedLines(frames, causeStack.slice(causeStart + 1).split('\n'));
  if (length > 3) {
    const left = length - 2;
    const note = `    ... ${left} lines matching cause stack trace ...`;
    frames.splice(offset + 1, left, ctx.stylize(note, 'undefined'));
  }
}

function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function underlinePackages(ctx, line) {
  return line.replace(kPackage, (match, name) =>
    match.slice(0, match.length - name.length) + ctx.stylize(name, 'module'));
}

// Greys the part of the path that leads to the working directory, and the parentheses around it.
function greyDirectory(ctx, line, directory) {
  let start = line.indexOf(directory);
  if (start === -1) return line;
  const end = start + directory.length + 1;
  if (line.slice(start - 7, start) === 'file://') start -= 7;
  if (line[start - 1] !== '(') {
    return line.slice(0, start) + ctx.stylize(line.slice(start, end), 'undefined') + line.slice(end);
  }
  return line.slice(0, start - 1) + ctx.stylize(line.slice(start - 1, end), 'undefined') +
    line.slice(end, -1) + ctx.stylize(')', 'undefined');
}

let builtinIds;
function isBuiltin(id) {
  const { builtinIds: nodes, ids } = binding('builtins'); // the first when Node runs us, for tests
  builtinIds ??= new Set(nodes ?? ids());
  return builtinIds.has(id);
}

function colorFrame(ctx, line, directory) {
  const runtime = kRuntimeFrame.exec(line);
  if (runtime !== null && isBuiltin(runtime[1])) return ctx.stylize(line, 'undefined');
  line = underlinePackages(ctx, line);
  if (directory === undefined) return line;
  const marked = greyDirectory(ctx, line, directory);
  if (marked !== line) return marked;
  return greyDirectory(ctx, line, require('url').pathToFileURL(directory).href);
}

// The text of an error; takes from `keys` what the text already says.
function errorText(ctx, error, constructor, tag, keys, formatValue) {
  let stack;
  try {
    stack = stackOf(ctx, error, formatValue);
  } catch {
    return Object.prototype.toString.call(error);
  }
  chooseKeys(ctx, keys, error, stack);
  const name = read(error, 'name');
  stack = nameTheClass(stack, constructor, name === kThrows ? 'Error' : name ?? 'Error', tag);

  // The message may itself contain something that looks like a frame.
  const message = read(error, 'message');
  let from = typeof message === 'string' && message !== '' ? stack.indexOf(message) : -1;
  if (from !== -1) from += message.length;
  const start = stack.indexOf(kFrame, from);
  if (start === -1) {
    stack = `[${stack}]`;
  } else {
    const frames = framesOf(ctx, error, stack.slice(start + 1), formatValue);
    const directory = ctx.colors ? currentDirectory() : undefined;
    stack = stack.slice(0, start);
    for (let i = 0; i < frames.length; i++) {
      stack += `\n${ctx.colors ? colorFrame(ctx, frames[i], directory) : frames[i]}`;
    }
  }
  if (ctx.indentation !== 0) stack = stack.replaceAll('\n', `\n${' '.repeat(ctx.indentation)}`);
  return stack;
}

module.exports = { errorText, isError };
