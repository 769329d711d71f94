'use strict';
// How many colours a terminal has, according to its environment.

const { validateInteger } = require('internal/validators');

const kNone = 1;
const k16 = 4;
const k256 = 8;
const kMillions = 24;

const kTerms = {
  '__proto__': null,
  'eterm': k16,
  'cons25': k16,
  'console': k16,
  'cygwin': k16,
  'dtterm': k16,
  'gnome': k16,
  'hurd': k16,
  'jfbterm': k16,
  'konsole': k16,
  'kterm': k16,
  'mlterm': k16,
  'mosh': kMillions,
  'putty': k16,
  'st': k16,
  'rxvt-unicode-24bit': kMillions,
  'terminator': kMillions,
};

const kCiSystems = {
  '__proto__': null,
  'APPVEYOR': k256,
  'BUILDKITE': k256,
  'CIRCLECI': k256,
  'DRONE': k256,
  'GITHUB_ACTIONS': k256,
  'GITLAB_CI': k256,
  'TRAVIS': k256,
};

const kTermPatterns = [
  /ansi/, /color/, /linux/, /^con[0-9]*x[0-9]/, /^rxvt/, /^screen/, /^xterm/, /^vt100/,
];

let warned = false;

function warnOnConflict(env) {
  if (warned || (!env.NODE_DISABLE_COLORS && !env.NO_COLOR)) return;
  const name = env.NODE_DISABLE_COLORS ? 'NODE_DISABLE_COLORS' : 'NO_COLOR';
  process.emitWarning(
    `The '${name}' env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
  warned = true;
}

function forced(env) {
  switch (env.FORCE_COLOR) {
    case '':
    case '1':
    case 'true':
      warnOnConflict(env);
      return k16;
    case '2':
      warnOnConflict(env);
      return k256;
    case '3':
      warnOnConflict(env);
      return kMillions;
    default:
      return kNone;
  }
}

function ofCi(env) {
  for (const name of Object.keys(kCiSystems)) {
    if (name in env) return kCiSystems[name];
  }
  return env.CI_NAME === 'codeship' ? k256 : kNone;
}

function ofProgram({ TERM_PROGRAM: program, TERM_PROGRAM_VERSION: version }) {
  switch (program) {
    case 'iTerm.app':
      return !version || /^[0-2]\./.test(version) ? k256 : kMillions;
    case 'HyperTerm':
    case 'MacTerm':
      return kMillions;
    case 'Apple_Terminal':
      return k256;
    default:
      return undefined;
  }
}

function ofTerm(env) {
  if (!env.TERM) return undefined;
  if (/^xterm-256/.test(env.TERM)) return k256;
  const term = env.TERM.toLowerCase();
  if (kTerms[term]) return kTerms[term];
  return kTermPatterns.some((pattern) => pattern.test(term)) ? k16 : undefined;
}

// In bits: 1, 4, 8 or 24.
function getColorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) return forced(env);
  if (env.NODE_DISABLE_COLORS || env.NO_COLOR || env.TERM === 'dumb') return kNone;
  if (env.TMUX) return k256;
  if (env.CI) return ofCi(env);
  if ('TEAMCITY_VERSION' in env) {
    return /^(9\.(0*[1-9]\d*)\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION) ? k16 : kNone;
  }
  const depth = ofProgram(env);
  if (depth !== undefined) return depth;
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return kMillions;
  return ofTerm(env) ?? (env.COLORTERM ? k16 : kNone);
}

function hasColors(count, env) {
  if (env === undefined &&
      (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    validateInteger(count, 'count', 2);
  }
  return count <= 2 ** this.getColorDepth(env);
}

module.exports = { getColorDepth, hasColors };
