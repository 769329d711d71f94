'use strict';
// Errors as inspect shows them: the stack, with the name put right, frames shared with the cause left
// out, and in colour the frames of the runtime greyed and package names underlined.

const { isNativeError } = binding('types');
const { prefix } = require('internal/inspect/names');

const kFrame = '\n    at';
const kRuntimeFrame = /^ {4}at (?:[^/\\(]+ \()?node:(.+):\d+:\d+\)?$/;
const kPackage = /[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)(?=[/\\])/g;

function isError(value) {
  return isNativeError(value) || value instanceof Error;
}

function stackOf(error) {
  return error.stack ? String(error.stack) : Error.prototype.toString.call(error);
}

// Properties whose text is in the stack already are not listed again; cause and errors always are,
// though they are not enumerable.
function chooseKeys(ctx, keys, error, stack) {
  if (!ctx.showHidden && keys.length !== 0) {
    for (const key of ['name', 'message', 'stack']) {
      const index = keys.indexOf(key);
      if (index !== -1 && stack.includes(error[key])) keys.splice(index, 1);
    }
  }
  if ('cause' in error && !keys.includes('cause')) keys.push('cause');
  if (Array.isArray(error.errors) && !keys.includes('errors')) keys.push('errors');
}

// A class that extends Error has "Error" in its stack unless it set `name`: show the class.
function nameTheClass(stack, constructor, name, tag) {
  let length = name.length;
  const startsWithName = name.endsWith('Error') && stack.startsWith(name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructor !== null && !startsWithName) return stack;
  let fallback = 'Error';
  if (constructor === null) {
    const start = /^([A-Z][\w [\]()-]+)(?::|\n\s+at)/.exec(stack) ??
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

function framesOf(ctx, error, text) {
  const frames = text.split('\n');
  let cause;
  try {
    ({ cause } = error);
  } catch {
    // A throwing getter has no cause to show.
  }
  if (cause === null || typeof cause !== 'object' || !isError(cause)) return frames;
  const causeStack = stackOf(cause);
  const causeStart = causeStack.indexOf(kFrame);
  if (causeStart === -1) return frames;
  const { length, offset } = sharedLines(frames, causeStack.slice(causeStart + 1).split('\n'));
  if (length > 3) {
    const left = length - 2;
    const note = `    ... ${left} lines matching cause stack trace ...`;
    frames.splice(offset + 1, left, ctx.stylize(note, 'undefined'));
  }
  return frames;
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
function errorText(ctx, error, constructor, tag, keys) {
  const name = error.name == null ? 'Error' : String(error.name);
  let stack = stackOf(error);
  chooseKeys(ctx, keys, error, stack);
  stack = nameTheClass(stack, constructor, name, tag);

  // The message may itself contain something that looks like a frame.
  let from = error.message ? stack.indexOf(error.message) : -1;
  if (from !== -1) from += error.message.length;
  const start = stack.indexOf(kFrame, from);
  if (start === -1) {
    stack = `[${stack}]`;
  } else {
    const frames = framesOf(ctx, error, stack.slice(start + 1));
    const directory = ctx.colors ? currentDirectory() : undefined;
    stack = stack.slice(0, start);
    for (const frame of frames) {
      stack += `\n${ctx.colors ? colorFrame(ctx, frame, directory) : frame}`;
    }
  }
  if (ctx.indentation !== 0) stack = stack.replaceAll('\n', `\n${' '.repeat(ctx.indentation)}`);
  return stack;
}

module.exports = { errorText, isError };
