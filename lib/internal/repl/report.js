'use strict';
// Telling about an error that a command threw.

const { ErrorPrepareStackTrace, overrideStackTrace } = require('internal/errors');
const { types: { isNativeError } } = require('util');

const kCommandFile = /^REPL\d+$/;

// Below what was typed are the frames of the REPL and of the loop. Of what was typed, the command
// itself goes with them, which is the last frame without the name of a function.
function withoutOwnFrames(frames) {
  const end = frames.findLastIndex((frame) => kCommandFile.test(frame.getFileName())) + 1;
  if (end === 0) return frames;
  const command = frames.findLastIndex((frame, i) => i < end && frame.getFunctionName() === null);
  return frames.slice(0, command === -1 ? end : command);
}

function prepareStack(error, frames) {
  if (Array.isArray(frames)) frames = withoutOwnFrames(frames);
  const prepare = Error.prepareStackTrace;
  if (typeof prepare === 'function' && prepare !== ErrorPrepareStackTrace) {
    return prepare(error, frames);
  }
  return ErrorPrepareStackTrace(error, frames);
}

// Of a syntax error only the location and the message are of interest; of ctrl-c only the message.
function withoutFrames(stack) {
  return stack.split('\n').filter((line) => !/^ {4}at /.test(line)).join('\n')
    .replace(/^REPL\d+:\d+\r?\n/, '');
}

function trimStack(error) {
  overrideStackTrace.set(error, prepareStack);
  const { stack } = error; // from now on it is a text
  overrideStackTrace.delete(error);
  const onlyMessage =
    error.name === 'SyntaxError' || error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED';
  if (!onlyMessage || typeof stack !== 'string') return;
  try {
    error.stack = withoutFrames(stack);
  } catch {
    // It is frozen, and is shown as it is.
  }
}

// "Uncaught " goes before the name of the error, which a syntax error has only after its source.
function describe(error, writer) {
  let text;
  if (isNativeError(error)) {
    trimStack(error);
    text = writer(error);
    // Without frames an error is shown in brackets.
    if (text.startsWith('[') && text.endsWith(']')) text = text.slice(1, -1);
  } else {
    text = writer(error);
  }
  const lines = text.split(/(?<=\n)/);
  const at = lines.findIndex((line) => /^\[?([A-Z][a-z0-9_]*)*Error/.test(line));
  if (at === -1) {
    text = `Uncaught${lines.length === 1 ? ' ' : ':\n'}${text}`;
  } else {
    const breakLength = writer.options?.breakLength ?? 80;
    lines[at] = `Uncaught${breakLength >= lines[at].length ? ' ' : ':\n'}${lines[at]}`;
    text = lines.join('');
  }
  return text.endsWith('\n') ? text : `${text}\n`;
}

module.exports = { describe };
