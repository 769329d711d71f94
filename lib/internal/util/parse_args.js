'use strict';
// util.parseArgs: first the arguments become tokens, then the tokens are checked and stored.

const {
  codes: {
    ERR_INVALID_ARG_VALUE,
    ERR_PARSE_ARGS_INVALID_OPTION_VALUE,
    ERR_PARSE_ARGS_UNKNOWN_OPTION,
    ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL,
  },
} = require('internal/errors');
const { getOptionValue } = require('internal/options');
const {
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateObject,
  validateString,
  validateStringArray,
  validateUnion,
} = require('internal/validators');

// What the program was given, without the interpreter and the script.
function programArguments() {
  return process.argv.slice(getOptionValue('--eval') ? 1 : 2);
}

// ---- tokens ----

function looksLikeOption(argument) {
  return argument != null && argument.length > 1 && argument[0] === '-';
}

function findLongName(short, options) {
  for (const [name, config] of Object.entries(options)) {
    if (ownValue(config, 'short') === short) return name;
  }
  return short;
}

function ownValue(object, key) {
  return object != null && Object.hasOwn(object, key) ? object[key] : undefined;
}

function typeOf(name, options) {
  return Object.hasOwn(options, name) ? ownValue(options[name], 'type') : undefined;
}

function tokenize(args, options) {
  const tokens = [];
  // Groups of short options are taken apart and put back in front of the rest, all with one index.
  const queue = [...args];
  let index = -1;
  let fromGroup = 0;

  const pushOption = (name, rawName, value, inlineValue) => {
    const token = { kind: 'option', name, rawName, index, value, inlineValue };
    tokens.push(token);
    if (value !== undefined && !inlineValue) index++;
  };
  // A following argument is the value of an option that takes one.
  const takesNext = (name) => queue.length > 0 && queue[0] != null && typeOf(name, options) === 'string';

  while (queue.length > 0) {
    const argument = queue.shift();
    if (fromGroup > 0) fromGroup--;
    else index++;

    if (argument === '--') {
      tokens.push({ kind: 'option-terminator', index });
      for (const value of queue) tokens.push({ kind: 'positional', index: ++index, value });
      break;
    }
    if (typeof argument !== 'string' || argument.length < 2 || argument[0] !== '-') {
      tokens.push({ kind: 'positional', index, value: argument });
    } else if (argument[1] !== '-') {
      const name = findLongName(argument[1], options);
      if (argument.length === 2) {
        const value = takesNext(name) ? queue.shift() : undefined;
        pushOption(name, argument, value, value === undefined ? undefined : false);
      } else if (typeOf(name, options) === 'string') {
        pushOption(name, `-${argument[1]}`, argument.slice(2), true);
      } else {
        const group = splitGroup(argument, options);
        queue.unshift(...group);
        fromGroup = group.length;
      }
    } else {
      const equals = argument.indexOf('=', 3);
      if (equals === -1) {
        const name = argument.slice(2);
        const value = takesNext(name) ? queue.shift() : undefined;
        pushOption(name, argument, value, value === undefined ? undefined : false);
      } else {
        pushOption(argument.slice(2, equals), argument.slice(0, equals), argument.slice(equals + 1), true);
      }
    }
  }
  return tokens;
}

// -abc is -a -b -c, up to the first that takes a value: the rest is that value.
function splitGroup(argument, options) {
  const group = [];
  for (let i = 1; i < argument.length; i++) {
    const name = findLongName(argument[i], options);
    if (typeOf(name, options) === 'string' && i !== argument.length - 1) {
      group.push(`-${argument.slice(i)}`);
      break;
    }
    group.push(`-${argument[i]}`);
  }
  return group;
}

// ---- checks ----

function checkValue(config, token) {
  if (token.inlineValue || !looksLikeOption(token.value)) return;
  // "--foo --bar": is --bar a value, or was the value forgotten?
  const shortExample = token.rawName.startsWith('--') ? '' : ` or '${token.rawName}-XYZ'`;
  throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
    `Option '${token.rawName}' argument is ambiguous.
Did you forget to specify the option argument for '${token.rawName}'?
To specify an option argument starting with a dash use '--${token.name}=-XYZ'${shortExample}.`);
}

function checkUsage(config, token) {
  let name = token.name;
  if (!Object.hasOwn(config.options, name)) {
    const negated = config.allowNegative && name.startsWith('no-') ? name.slice(3) : undefined;
    if (negated === undefined || !Object.hasOwn(config.options, negated) ||
        typeOf(negated, config.options) !== 'boolean') {
      throw new ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, config.allowPositionals);
    }
    name = negated;
  }
  const short = ownValue(config.options[name], 'short');
  const shown = `${short ? `-${short}, ` : ''}--${name}`;
  const type = typeOf(name, config.options);
  if (type === 'string' && typeof token.value !== 'string') {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown} <value>' argument missing`);
  }
  if (type === 'boolean' && token.value != null) {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown}' does not take an argument`);
  }
}

function checkOptions(options) {
  validateObject(options, 'options');
  for (const [name, config] of Object.entries(options)) {
    const path = `options.${name}`;
    validateObject(config, path);
    const type = ownValue(config, 'type');
    validateUnion(type, `${path}.type`, ['string', 'boolean']);
    if (Object.hasOwn(config, 'short')) {
      validateString(config.short, `${path}.short`);
      if (config.short.length !== 1) {
        throw new ERR_INVALID_ARG_VALUE(`${path}.short`, config.short, 'must be a single character');
      }
    }
    const multiple = ownValue(config, 'multiple');
    if (Object.hasOwn(config, 'multiple')) validateBoolean(multiple, `${path}.multiple`);
    const initial = ownValue(config, 'default');
    if (initial !== undefined) {
      const validate = type === 'string' ?
        (multiple ? validateStringArray : validateString) :
        (multiple ? validateBooleanArray : validateBoolean);
      validate(initial, `${path}.default`);
    }
  }
}

// ---- results ----

function store(config, token, values) {
  let { name, value } = token;
  if (name === '__proto__') return; // never a name of ours to set
  value ??= true;
  if (config.allowNegative && token.value === undefined && name.startsWith('no-')) {
    // From here on the token is one of the option it negates.
    name = token.name = name.slice(3);
    value = false;
  }
  if (Object.hasOwn(config.options, name) && ownValue(config.options[name], 'multiple')) {
    if (values[name]) values[name].push(value);
    else values[name] = [value];
  } else {
    values[name] = value;
  }
}

function readConfig(config) {
  const settings = {
    args: ownValue(config, 'args') ?? programArguments(),
    strict: ownValue(config, 'strict') ?? true,
    tokens: ownValue(config, 'tokens') ?? false,
    options: ownValue(config, 'options') ?? { __proto__: null },
    allowNegative: ownValue(config, 'allowNegative') ?? false,
    allowPositionals: undefined,
  };
  settings.allowPositionals = ownValue(config, 'allowPositionals') ?? !settings.strict;
  validateArray(settings.args, 'args');
  validateBoolean(settings.strict, 'strict');
  validateBoolean(settings.allowPositionals, 'allowPositionals');
  validateBoolean(settings.tokens, 'tokens');
  validateBoolean(settings.allowNegative, 'allowNegative');
  checkOptions(settings.options);
  return settings;
}

const parseArgs = (config = { __proto__: null }) => {
  if (config === null) throw new TypeError('Cannot convert undefined or null to object');
  const settings = readConfig(config);
  const tokens = tokenize(settings.args, settings.options);
  const result = { values: { __proto__: null }, positionals: [] };
  if (settings.tokens) result.tokens = tokens;

  for (const token of tokens) {
    if (token.kind === 'option') {
      if (settings.strict) {
        checkUsage(settings, token);
        checkValue(settings, token);
      }
      store(settings, token, result.values);
    } else if (token.kind === 'positional') {
      if (!settings.allowPositionals) throw new ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
      result.positionals.push(token.value);
    }
  }
  for (const [name, config] of Object.entries(settings.options)) {
    if (name === '__proto__') continue;
    const initial = ownValue(config, 'default');
    if (initial !== undefined && result.values[name] === undefined) result.values[name] = initial;
  }
  return result;
};

module.exports = { parseArgs };
