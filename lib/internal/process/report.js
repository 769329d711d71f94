'use strict';
// process.report: a diagnostic report as JSON, on demand, on a signal, and before an uncaught exception ends the program.

const fs = require('fs');
const path = require('path');
const { codes: { ERR_SYNTHETIC } } = require('internal/errors');
const { getValidatedPath } = require('internal/fs/utils');
const { getOptionValue } = require('internal/options');
const { validateBoolean, validateObject, validateSignalName, validateString } = require('internal/validators');

const settings = {
  directory: getOptionValue('--report-directory') ?? '',
  filename: getOptionValue('--report-filename') ?? '',
  compact: getOptionValue('--report-compact') === true,
  excludeNetwork: getOptionValue('--report-exclude-network') === true,
  excludeEnv: getOptionValue('--report-exclude-env') === true,
  signal: getOptionValue('--report-signal') ?? 'SIGUSR2',
  reportOnFatalError: getOptionValue('--report-on-fatalerror') === true,
  reportOnSignal: getOptionValue('--report-on-signal') === true,
  reportOnUncaughtException: getOptionValue('--report-uncaught-exception') === true,
};

let sequence = 0;

// Of the permission model. Without a name it is the folder that is written to.
function checkWriting(file) {
  const { state, isGranted } = require('internal/process/permission');
  const resource = file === undefined ? process.cwd() :
    settings.directory === '' ? file : `${settings.directory}/${file}`;
  if (!state.isEnabled || isGranted('fs.write', resource) || state.isAudit) return;
  const { ERR_ACCESS_DENIED } = require('internal/errors').codes;
  throw new ERR_ACCESS_DENIED('Access to this API has been restricted', 'FileSystemWrite', resource);
}

function threadId() {
  return require('worker_threads').threadId;
}

function two(number) {
  return String(number).padStart(2, '0');
}

function defaultName(time) {
  const date = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`;
  const clock = `${two(time.getHours())}${two(time.getMinutes())}${two(time.getSeconds())}`;
  return `report.${date}.${clock}.${process.pid}.${threadId()}.${String(++sequence).padStart(3, '0')}.json`;
}

function textOf(report) {
  return settings.compact ? JSON.stringify(report) : JSON.stringify(report, null, 2);
}

function make(event, trigger, filename, error, time = new Date()) {
  const { makeReport } = require('internal/process/report_content');
  const { excludeEnv, excludeNetwork } = settings;
  return makeReport({ event, trigger, filename, time, threadId: threadId(), error, excludeEnv, excludeNetwork });
}

const kOfTheMoment = {
  header: ['event', 'trigger', 'filename', 'dumpEventTime', 'dumpEventTimeStamp'],
  report: ['javascriptHeap', 'nativeStack', 'resourceUsage', 'uvthreadResourceUsage'],
};

// A failure of the engine itself leaves no JavaScript to make a report. So C++ gets the text of one, with the names of what
// it has to fill in.
function planFatal() {
  const { planFatalReport } = binding('report');
  if (!settings.reportOnFatalError) {
    planFatalReport();
    return;
  }
  const mark = `${process.hrtime.bigint()}:`;
  const made = make('', '', null, '');
  made.libuv.splice(0, made.libuv.length - 1); // the loop stays
  for (const name of kOfTheMoment.header) made.header[name] = mark + name;
  for (const name of kOfTheMoment.report) made[name] = mark + name;
  const [first, ...others] = textOf(made).split(`"${mark}`);
  const pieces = [first];
  for (const piece of others) {
    const end = piece.indexOf('"');
    pieces.push(piece.slice(0, end), piece.slice(end + 1));
  }
  planFatalReport(pieces, settings.directory, settings.filename, threadId(), sequence + 1);
}

function planAgain() {
  if (settings.reportOnFatalError) planFatal();
}

// Returns the name of the file; 'stdout' and 'stderr' are those streams.
function write(event, trigger, file, error) {
  checkWriting(file);
  const time = new Date();
  const name = file || settings.filename || defaultName(time);
  const text = `${textOf(make(event, trigger, name, error, time))}\n`;
  if (name === 'stdout' || name === 'stderr') {
    fs.writeSync(name === 'stdout' ? 1 : 2, text);
    return name;
  }
  const target = settings.directory === '' ? name : path.join(settings.directory, name);
  require('internal/process/permission').check('fs.write', target);
  try {
    fs.writeFileSync(target, text);
    planAgain(); // its name has the next number
  } catch (failure) {
    fs.writeSync(2, `\nFailed to open Node.js report file: ${name} directory: ${settings.directory} ` +
      `(errno: ${-failure.errno})\n`);
    return '';
  }
  fs.writeSync(2, `\nWriting Node.js report to file: ${name}\nNode.js report completed\n`);
  return name;
}

function onSignal(signal) {
  write(signal, 'Signal', undefined, '');
}

function start() {
  listen();
  planAgain();
}

function listen() {
  process.removeListener(settings.signal, onSignal);
  if (settings.reportOnSignal) process.on(settings.signal, onSignal);
}

// Called before the program ends by an exception that nothing has handled.
function reportUncaught(error) {
  if (settings.reportOnUncaughtException) write('Exception', 'Exception', undefined, error);
}

const report = {
  writeReport(file, error) {
    if (typeof file === 'object' && file !== null) {
      error = file;
      file = undefined;
    } else if (file !== undefined) {
      validateString(file, 'file');
      file = getValidatedPath(file);
    }
    if (error === undefined) error = new ERR_SYNTHETIC();
    else validateObject(error, 'err');
    return write('JavaScript API', 'API', file, error);
  },
  getReport(error) {
    if (error === undefined) error = new ERR_SYNTHETIC();
    else validateObject(error, 'err');
    return JSON.parse(textOf(make('JavaScript API', 'GetReport', null, error)));
  },
};

// `label`: what errors call the value, in Node.
function addSetting(name, validate, label, before, after) {
  const accessors = {
    get [name]() { return settings[name]; },
    set [name](value) {
      validate(value, label);
      before?.();
      settings[name] = value;
      after?.();
    },
  };
  Object.defineProperty(report, name, Object.getOwnPropertyDescriptor(accessors, name));
}

addSetting('directory', validateString, 'directory', undefined, planAgain);
addSetting('filename', validateString, 'filename', undefined, planAgain);
addSetting('compact', validateBoolean, 'compact', undefined, planAgain);
addSetting('excludeNetwork', validateBoolean, 'excludeNetwork', undefined, planAgain);
addSetting('signal', validateSignalName, 'signal', () => process.removeListener(settings.signal, onSignal), listen);
addSetting('reportOnFatalError', validateBoolean, 'trigger', undefined, planFatal);
addSetting('reportOnSignal', validateBoolean, 'trigger', undefined, listen);
addSetting('reportOnUncaughtException', validateBoolean, 'trigger');
addSetting('excludeEnv', validateBoolean, 'excludeEnv', undefined, planAgain);

module.exports = { report, reportUncaught, start };
