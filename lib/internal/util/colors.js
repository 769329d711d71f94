'use strict';
// Colours for messages of the runtime itself: empty strings unless stderr shows colours.

// Values of FORCE_COLOR that enable colours; any other turns them off.
const kForced = ['', '1', 'true', '2', '3'];
const kCodes = { blue: 34, green: 32, white: 39, yellow: 33, red: 31, gray: 90 };

const colors = module.exports = {
  blue: '',
  green: '',
  white: '',
  yellow: '',
  red: '',
  gray: '',
  clear: '',
  reset: '',
  hasColors: false,

  shouldColorize(stream) {
    const forced = process.env.FORCE_COLOR;
    if (forced !== undefined) return kForced.includes(forced);
    return Boolean(stream?.isTTY) &&
      (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2);
  },

  refresh() {
    const on = colors.shouldColorize(process.stderr);
    for (const name in kCodes) colors[name] = on ? `\u001b[${kCodes[name]}m` : '';
    colors.clear = on ? '\u001bc' : '';
    colors.reset = on ? '\u001b[0m' : '';
    colors.hasColors = on;
  },
};

colors.refresh();
