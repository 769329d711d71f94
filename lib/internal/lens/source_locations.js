'use strict';
// Where things were made: for --why-alive, which looks at the stack of all that may keep the program
// alive, and for --blocked, which looks as often as that costs next to nothing.

const { currentResource, setKeeper } = require('internal/async_hooks');
const { keepWholes, setWholeKeeper, wholeOf } = require('internal/fs/native');
const { kLocationsLeft, shared } = require('internal/native/shared_state');
const { kOwner } = require('internal/native/stream_handle');
const { SafeWeakMap } = require('internal/util/safe');

const native = binding('why_alive');

const kMostFrames = 10;

let locations = null; // resource -> what native.frames() gives; null: not recorded
let keepsAll = false;
let reportLocation; // (resource, type, line): what --blocked notes of each that was looked at
let lastTick = []; // where the last one was made that was looked at

// `all`: of handles, requests and timers each.
function keepLocations(all) {
  locations ??= new SafeWeakMap();
  keepsAll ||= all;
  keepWholes();
  setKeeper(remember, keepsAll);
  // Steps are taken where nothing of the program runs.
  if (keepsAll) setWholeKeeper((whole) => locations.set(whole, native.frames(kMostFrames)));
}

function reportLocations(fn) {
  reportLocation = fn;
}

function keepsLocations() {
  return keepsAll;
}

function remember(resource, type) {
  if (shared[kLocationsLeft] > 0) shared[kLocationsLeft]--;
  let frames = keepsAll ? native.frames(kMostFrames) : native.location();
  // What the loop itself makes, such as a connection that arrives, was made for what runs.
  if (frames.length === 0) frames = locationOf(currentResource());
  locations.set(resource, frames);
  if (type === 'TickObject') lastTick = frames;
  if (reportLocation !== undefined) reportLocation(resource, type, toLines(frames)[0]);
}

// As [function, file, line, column, ...]. Of a handle that the loop made, and of a step: where what it
// belongs to was made.
function locationOf(resource) {
  const owner = resource?.[kOwner];
  for (const object of [resource, owner, owner?._server, wholeOf(resource)]) {
    const frames = locations?.get(object) ?? [];
    if (frames.length > 0) return frames;
  }
  return [];
}

// As lines, the innermost first: "work (file.js:3:5)"
function toLines(frames) {
  const lines = [];
  for (let i = 0; i < frames.length; i += 4) {
    const at = `${frames[i + 1]}:${frames[i + 2]}:${frames[i + 3]}`;
    lines.push(frames[i] === '' ? at : `${frames[i]} (${at})`);
  }
  return lines;
}

function locationsOf(resource) {
  return toLines(locationOf(resource));
}

// Where the program is at this moment; empty if it is not running.
function currentLocations() {
  return toLines(native.frames(kMostFrames));
}

function locationsOfLastTick() {
  return toLines(lastTick);
}

module.exports = {
  currentLocations, framesOf: locationOf, keepLocations, keepsLocations, locationsOf, locationsOfLastTick, reportLocations,
};
