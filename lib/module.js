'use strict';

const { Module } = require('internal/modules/cjs/loader');
const { SourceMap, findSourceMap } = require('internal/modules/source_map');

Module.runMain = require('internal/modules/run_main').executeUserEntryPoint;
Module.findSourceMap = findSourceMap;
Module.SourceMap = SourceMap;

module.exports = Module;
