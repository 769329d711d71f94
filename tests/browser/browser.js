'use strict';
// What the tests of all pages share: a browser, and the program under test.

const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const packages = path.join(root, 'build/browser/node_modules');

// The file of the command `rondo`.
const rondo = process.env.RONDO_PROGRAM ?? path.join(root, 'build/rondo');

// A test without a browser has not been made: it fails, and says what to do.
function need(what, file, remedy) {
  if (file === undefined || !fs.existsSync(file)) {
    throw new Error(`tests/browser needs ${what}, which is not here: ${remedy}`);
  }
  return file;
}

function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = process.env.PATH.split(':');
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return process.env.RONDO_CHROMIUM ?? files.find((file) => fs.existsSync(file));
}

// How long anything may take, in milliseconds: only what never happens is a failure.
const kPatience = 90000;

// Ends with `await browser.close()`.
async function launch() {
  const library = need('playwright-core', path.join(packages, 'playwright-core'),
    'scripts/fetch_js.sh build/browser tests/browser');
  const executablePath = need('Chromium', findChromium(), 'scripts/setup.sh installs it');
  const { chromium } = require(library);
  // In a container there are no user namespaces for the sandbox, and little shared memory. On a slow
  // machine the first start takes half a minute.
  return chromium.launch({
    executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: kPatience,
  });
}

module.exports = { kPatience, launch, rondo, root };
