// The rules for lib/ and tests/, few and strict: `make lint` runs ESLint on rondo itself.
'use strict';

// What every script has.
const globals = Object.fromEntries([
  ...Object.getOwnPropertyNames(globalThis), 'require', 'module', 'exports', '__filename', '__dirname',
].map((name) => [name, 'readonly']));

const browserGlobals = Object.fromEntries([
  'addEventListener', 'clearTimeout', 'console', 'CSS', 'document', 'Element', 'Event', 'EventSource', 'fetch', 'getComputedStyle', 'history',
  'HTMLElement', 'Image', 'innerHeight', 'innerWidth', 'IntersectionObserver', 'localStorage', 'location', 'matchMedia', 'navigator', 'Node',
  'performance', 'requestAnimationFrame', 'ResizeObserver', 'setInterval', 'setTimeout', 'URLSearchParams', 'window',
].map((name) => [name, 'readonly']));

const rules = {
  'constructor-super': 'error',
  'for-direction': 'error',
  'getter-return': 'error',
  'no-class-assign': 'error',
  'no-const-assign': 'error',
  'no-dupe-args': 'error',
  'no-dupe-class-members': 'error',
  'no-dupe-else-if': 'error',
  'no-dupe-keys': 'error',
  'no-duplicate-case': 'error',
  'no-func-assign': 'error',
  'no-import-assign': 'error',
  'no-redeclare': ['error', { builtinGlobals: false }],
  'no-this-before-super': 'error',
  'no-undef': 'error',
  'no-unreachable': 'error',
  'no-unsafe-finally': 'error',
  'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none', ignoreRestSiblings: true, varsIgnorePattern: '^_' }],
  'no-useless-catch': 'error',
  'no-var': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'use-isnan': 'error',
  'valid-typeof': 'error',
};

module.exports = [
  // Scripts of tests/node and fixtures are wrong on purpose here and there: what counts is what Node prints. Two examples are
  // those of Node's guide, as they are there.
  {
    ignores: [
      'build/', '**/node_modules/', '**/fixtures/', '**/installed/', 'tests/node/', 'tests/lens/js/', 'tests/lens/programs/',
      'examples/js/callback_by_tick.js', 'examples/js/callback_too_early.js',
    ],
  },
  {
    files: ['lib/**/*.js'],
    // What the loader passes to each file (lib/internal/startup/bootstrap.js).
    languageOptions: { sourceType: 'commonjs', globals: { ...globals, binding: 'readonly', primordials: 'readonly', internalBinding: 'readonly', capturedStatics: 'writable' } },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules,
  },
  {
    files: ['tests/**/*.js', 'bench/**/*.js', 'examples/**/*.js', 'eslint.config.js'],
    languageOptions: { sourceType: 'commonjs', globals },
    rules,
  },
  // These pass functions to a browser.
  { files: ['tests/browser/*.js'], languageOptions: { globals: browserGlobals } },
  {
    files: ['src/lens/page/browser/*.js'],
    languageOptions: { sourceType: 'script', globals: browserGlobals },
    rules,
  },
];
