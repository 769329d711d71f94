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

let places = null; // resource -> what native.frames() gives; null: not recorded
let keepsAll = false;
let reportPlace; // (resource, type, line): what --blocked notes of each that was looked at
let lastTick = []; // where the last one was made that was looked at

// `all`: of handles, requests and timers each.
function keepPlaces(all) {
  places ??= new SafeWeakMap();
  keepsAll ||= all;
  keepWholes();
  setKeeper(remember, keepsAll);
  // Steps are taken where nothing of the program runs.
  if (keepsAll) setWholeKeeper((whole) => places.set(whole, native.frames(kMostFrames)));
}

function reportPlaces(fn) {
  reportPlace = fn;
}

function keepsPlaces() {
  return keepsAll;
}

function remember(resource, type) {
  if (shared[kLocationsLeft] > 0) shared[kLocationsLeft]--;
  let frames = keepsAll ? native.frames(kMostFrames) : native.place();
  // What the loop itself makes, such as a connection that arrives, was made for what runs.
  if (frames.length === 0) frames = placeOf(currentResource());
  places.set(resource, frames);
  if (type === 'TickObject') lastTick = frames;
  if (reportPlace !== undefined) reportPlace(resource, type, toLines(frames)[0]);
}

// As [function, file, line, column, ...]. Of a handle that the loop made, and of a step: where what it
// belongs to was made.
function placeOf(resource) {
  const owner = resource?.[kOwner];
  for (const object of [resource, owner, owner?._server, wholeOf(resource)]) {
    const frames = places?.get(object) ?? [];
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

function placesOf(resource) {
  return toLines(placeOf(resource));
}

// Where the program is at this moment; empty if it is not running.
function currentPlaces() {
  return toLines(native.frames(kMostFrames));
}

function placesOfLastTick() {
  return toLines(lastTick);
}

module.exports = {
  currentPlaces, framesOf: placeOf, keepPlaces, keepsPlaces, placesOf, placesOfLastTick, reportPlaces,
};
