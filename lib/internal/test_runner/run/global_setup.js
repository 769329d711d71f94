'use strict';
// The module of --test-global-setup: it runs before all tests, and after them.

const path = require('path');
const { pathToUrl } = require('internal/modules/package_resolve');
const { validatePath } = require('internal/fs/utils');
const { validateFunction } = require('internal/validators');

async function load(file, cwd) {
  validatePath(file, 'options.globalSetupPath');
  const { importModule } = require('internal/modules/esm/loader');
  const { globalSetup, globalTeardown } =
    await importModule(pathToUrl(path.resolve(cwd, file)), pathToUrl(`${cwd}/`), undefined);
  if (globalSetup) validateFunction(globalSetup, 'globalSetupModule.globalSetup');
  if (globalTeardown) validateFunction(globalTeardown, 'globalSetupModule.globalTeardown');
  return { globalSetup, globalTeardown };
}

module.exports = { load };
