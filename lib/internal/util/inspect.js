'use strict';
// util.inspect and util.format: the public face of internal/inspect/.

const { formatValue, kCustom, noColor, setInspect } = require('internal/inspect/value');
const { makeFormat } = require('internal/inspect/format');
const text = require('internal/inspect/text');

const { hasOwn } = Object;

const inspectDefaultOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

// Arguments, in the old form: value, showHidden, depth, colors.
function inspect(value, opts) {
  const ctx = {
    budget: {}, // characters written so far, by indentation
    indentation: 0,
    seen: [],
    currentDepth: 0,
    circular: undefined,
    stylize: noColor,
    userOptions: undefined,
    // Named one by one: spreading them is several times slower.
    showHidden: inspectDefaultOptions.showHidden,
    depth: inspectDefaultOptions.depth,
    colors: inspectDefaultOptions.colors,
    customInspect: inspectDefaultOptions.customInspect,
    showProxy: inspectDefaultOptions.showProxy,
    maxArrayLength: inspectDefaultOptions.maxArrayLength,
    maxStringLength: inspectDefaultOptions.maxStringLength,
    breakLength: inspectDefaultOptions.breakLength,
    compact: inspectDefaultOptions.compact,
    sorted: inspectDefaultOptions.sorted,
    getters: inspectDefaultOptions.getters,
    numericSeparator: inspectDefaultOptions.numericSeparator,
  };
  if (arguments.length > 1) {
    if (arguments.length > 2) {
      if (arguments[2] !== undefined) ctx.depth = arguments[2];
      if (arguments.length > 3 && arguments[3] !== undefined) ctx.colors = arguments[3];
    }
    if (typeof opts === 'boolean') {
      ctx.showHidden = opts;
    } else if (opts) {
      const keys = Object.keys(opts);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i];
        if (hasOwn(inspectDefaultOptions, key) || key === 'stylize') ctx[key] = opts[key];
        else ctx.userOptions ??= opts; // custom inspectors are given what we do not know
      }
    }
  }
  if (ctx.colors) ctx.stylize = withColor;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return formatValue(ctx, value, 0);
}
inspect.custom = kCustom;

Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() {
    return inspectDefaultOptions;
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    Object.assign(inspectDefaultOptions, options);
  },
});

const kForeground = 39;
const kBackground = 49;

inspect.colors = {
  __proto__: null,
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  blink: [5, 25],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  doubleunderline: [21, 24],
  black: [30, kForeground],
  red: [31, kForeground],
  green: [32, kForeground],
  yellow: [33, kForeground],
  blue: [34, kForeground],
  magenta: [35, kForeground],
  cyan: [36, kForeground],
  white: [37, kForeground],
  bgBlack: [40, kBackground],
  bgRed: [41, kBackground],
  bgGreen: [42, kBackground],
  bgYellow: [43, kBackground],
  bgBlue: [44, kBackground],
  bgMagenta: [45, kBackground],
  bgCyan: [46, kBackground],
  bgWhite: [47, kBackground],
  framed: [51, 54],
  overlined: [53, 55],
  gray: [90, kForeground],
  redBright: [91, kForeground],
  greenBright: [92, kForeground],
  yellowBright: [93, kForeground],
  blueBright: [94, kForeground],
  magentaBright: [95, kForeground],
  cyanBright: [96, kForeground],
  whiteBright: [97, kForeground],
  bgGray: [100, kBackground],
  bgRedBright: [101, kBackground],
  bgGreenBright: [102, kBackground],
  bgYellowBright: [103, kBackground],
  bgBlueBright: [104, kBackground],
  bgMagentaBright: [105, kBackground],
  bgCyanBright: [106, kBackground],
  bgWhiteBright: [107, kBackground],
};

const kColorAliases = {
  gray: ['grey', 'blackBright'],
  bgGray: ['bgGrey', 'bgBlackBright'],
  dim: ['faint'],
  strikethrough: ['crossedout', 'strikeThrough', 'crossedOut'],
  hidden: ['conceal'],
  inverse: ['swapColors', 'swapcolors'],
  doubleunderline: ['doubleUnderline'],
};

for (const [color, aliases] of Object.entries(kColorAliases)) {
  for (const alias of aliases) {
    Object.defineProperty(inspect.colors, alias, {
      __proto__: null,
      get() {
        return this[color];
      },
      set(value) {
        this[color] = value;
      },
      configurable: true,
      enumerable: false,
    });
  }
}

inspect.styles = {
  __proto__: null,
  special: 'cyan',
  number: 'yellow',
  bigint: 'yellow',
  boolean: 'yellow',
  undefined: 'grey',
  null: 'bold',
  string: 'green',
  symbol: 'green',
  date: 'magenta',
  regexp: require('internal/inspect/regexp').makeHighlight(inspect),
  module: 'underline',
};

function withColor(string, style) {
  const name = inspect.styles[style];
  if (name === undefined) return string;
  const color = inspect.colors[name];
  if (color !== undefined) return `\u001b[${color[0]}m${string}\u001b[${color[1]}m`;
  return typeof name === 'function' ? name(string) : string;
}

setInspect(inspect);

const formatArguments = makeFormat(inspect);

function format(...args) {
  return formatArguments(undefined, args);
}

function formatWithOptions(inspectOptions, ...args) {
  const { kValidateObjectAllowArray, validateObject } = require('internal/validators');
  validateObject(inspectOptions, 'inspectOptions', kValidateObjectAllowArray);
  return formatArguments(inspectOptions, args);
}

function stripVTControlCharacters(str) {
  require('internal/validators').validateString(str, 'str');
  return text.removeControlSequences(str);
}

module.exports = {
  formatArguments,
  inspect,
  inspectDefaultOptions,
  format,
  formatWithOptions,
  getStringWidth: text.getStringWidth,
  stripVTControlCharacters,
  withColor,
  isZeroWidthCodePoint: text.isZeroWidthCodePoint,
};
