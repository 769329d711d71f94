'use strict';
// Shows what the server sends ten times a second (src/lens/page/figures_json.cpp). All times are microseconds.
// What comes from the program is put in as text, never as markup.

const token = new URLSearchParams(location.search).get('token') ?? '';
const byId = (id) => document.getElementById(id);

// ---- Words -------------------------------------------------------------------------------------

const whole = new Intl.NumberFormat('en');

function duration(us) {
  if (us < 1000) return `${Math.round(us)} \u00b5s`;
  if (us < 1e4) return `${(us / 1e3).toFixed(1)} ms`;
  if (us < 1e6) return `${Math.round(us / 1e3)} ms`;
  if (us < 1e7) return `${(us / 1e6).toFixed(2)} s`;
  if (us < 6e7) return `${(us / 1e6).toFixed(1)} s`;
  const seconds = Math.floor(us / 1e6);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

function rate(perSecond) {
  return perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : whole.format(Math.round(perSecond));
}

function percent(share) {
  const value = Math.min(1, Math.max(0, share)) * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

function show(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

// ---- Tables ------------------------------------------------------------------------------------

// A cell is a text or { text, place }, the place a source location.
function fillTable(id, rows) {
  const body = document.createElement('tbody');
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((content, column) => {
      const cell = document.createElement(column === 0 ? 'th' : 'td');
      if (column === 0) cell.scope = 'row';
      cell.textContent = content.text ?? content;
      if (content.place) {
        const place = document.createElement('span');
        place.className = 'place';
        place.textContent = content.place;
        cell.append(place);
      }
      line.append(cell);
    });
  }
  const table = byId(id);
  table.tBodies[0].replaceWith(body);
  table.closest('.scroll').hidden = rows.length === 0;
  byId(`no-${id}`).hidden = rows.length > 0;
}

let lists;

function showSites() {
  if (lists === undefined) return;
  const order = document.querySelector('input[name="order"]:checked').value;
  fillTable('sites', lists[order].map((site) => {
    const at = site.file === '' ? '' : `${site.file}:${site.line}:${site.column}`;
    const name = site.function || (at === '' ? site.label : '(anonymous)');
    return [{ text: name, place: at }, site.label, whole.format(site.runs), duration(site.longest),
      duration(site.total)];
  }));
}

function showLists() {
  showSites();
  fillTable('blocked', lists.blocked.map(({ when, length, phase, what, place }) => {
    const time = new Date(when).toLocaleTimeString('en-GB');
    return [time, duration(length), phase === 'none' ? 'before the first iteration' : phase,
      { text: what, place }];
  }));
  fillTable('handles', lists.handles.map(({ id, label }) => [label, String(id)]));
}

// ---- Phases --------------------------------------------------------------------------------------

// The boxes of the diagram; idle and prepare are one there. Which queues wait for which phase.
const boxes = [
  { name: 'timers', phases: ['timers'], queues: ['timers'] },
  { name: 'pending', phases: ['pending'], queues: ['pending'] },
  { name: 'idle, prepare', phases: ['idle', 'prepare'], queues: ['idle', 'prepare'] },
  { name: 'poll', phases: ['poll'], queues: ['completions', 'posted'] },
  { name: 'check', phases: ['check'], queues: ['check', 'immediates'] },
  { name: 'close', phases: ['close'], queues: ['close'] },
];

function makePhaseRows() {
  const body = byId('phases').tBodies[0];
  for (const box of boxes) {
    const line = body.insertRow();
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = box.name;
    line.append(head);
    box.cells = { rate: line.insertCell(), callbacks: line.insertCell() };
    const share = line.insertCell();
    const bar = document.createElement('span');
    bar.className = 'bar';
    box.bar = document.createElement('i');
    bar.append(box.bar);
    box.cells.share = document.createElement('span');
    box.cells.share.className = 'share';
    share.append(bar, box.cells.share);
    box.cells.waiting = line.insertCell();
  }
}

// ---- What runs -----------------------------------------------------------------------------------

// By what called it, in the words of rondo_callbacks_by_source_total.
const kinds = Object.entries({
  main: 'main program',
  timeout: 'timeouts',
  interval: 'intervals',
  immediate: 'immediates',
  tick: 'ticks',
  microtask: 'promises, microtasks',
  file: 'files',
  socket: 'sockets',
  server: 'servers',
  lookup: 'name lookups',
  process: 'child processes',
  signal: 'signals',
  message: 'messages',
  close: 'close events',
  deferred: 'deferred',
  hook: 'hooks of the loop',
  posted: 'from other threads',
  other: 'other',
}).map(([source, name]) => ({ source, name }));

function makeKindRows() {
  const body = byId('kinds').tBodies[0];
  for (const kind of kinds) {
    kind.row = body.insertRow();
    kind.row.hidden = true; // until there is one
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = kind.name;
    kind.row.append(head);
    kind.rate = kind.row.insertCell();
    kind.sum = kind.row.insertCell();
  }
}

function showKinds(frame, before, perSecond) {
  const rates = kinds.map(({ source }) => perSecond(frame.sources[source], before.sources[source]));
  const most = Math.max(1, ...rates);
  kinds.forEach((kind, i) => {
    kind.row.hidden = frame.sources[kind.source] === 0;
    kind.row.classList.toggle('rests', rates[i] === 0);
    kind.rate.textContent = rate(rates[i]);
    kind.rate.style.setProperty('--share', `${(rates[i] / most * 100).toFixed(1)}%`);
    kind.sum.textContent = whole.format(frame.sources[kind.source]);
  });
}

// ---- The ring ------------------------------------------------------------------------------------

const kRadius = 150;

function svg(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function pointAt(degrees, radius) {
  const angle = (degrees - 90) * Math.PI / 180;
  return [Math.cos(angle) * radius, Math.sin(angle) * radius].map((value) => value.toFixed(2));
}

function arc(from, to, radius) {
  return `M ${pointAt(from, radius).join(' ')} A ${radius} ${radius} 0 0 1 ${pointAt(to, radius).join(' ')}`;
}

function makeRing() {
  const ring = byId('ring');
  const step = 360 / boxes.length;
  boxes.forEach((box, i) => {
    const from = i * step - step / 2 + 2;
    const to = from + step - 4;
    box.group = svg('g', { class: 'phase' });
    box.lit = svg('path', { class: 'lit', d: arc(from, to, kRadius) });
    const [x, y] = pointAt(i * step, kRadius - 50).map(Number);
    // One line for each of the phases, and one for the rate.
    const top = y + 4 - box.phases.length * 8;
    const names = box.phases.map((phase, line) => svg('text', { class: 'name', x, y: top + line * 16 }, phase));
    box.rate = svg('text', { class: 'rate', x, y: top + names.length * 16 }, '');
    box.group.append(
      svg('path', { class: 'track', d: arc(from, to, kRadius) }), box.lit,
      svg('path', { class: 'here', d: arc(from, to, kRadius + 21) }),
      ...names, box.rate);
    ring.append(box.group);
  });
  const [x, y] = pointAt(0, kRadius);
  ring.append(
    svg('circle', { class: 'runner', cx: x, cy: y, r: 9 }),
    svg('text', { class: 'middle', id: 'ring-middle', x: 0, y: 4 }, '-'),
    svg('text', { class: 'under', id: 'ring-under', x: 0, y: 26 }, 'iterations/s'));
}

// ---- The chart -----------------------------------------------------------------------------------

const kMinute = 60e6;
const kLowest = 10; // microseconds
const kLabelRoom = 52;
const points = [];

function drawChart() {
  const canvas = byId('delay');
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const pen = canvas.getContext('2d');
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);

  // Each line is ten times the one below.
  const highest = Math.max(1e5, ...points.map((point) => point.max)) * 1.3;
  const toY = (us) => {
    const share = Math.log(Math.max(us, kLowest) / kLowest) / Math.log(highest / kLowest);
    return height - 6 - share * (height - 12);
  };
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  pen.lineWidth = 1;
  for (let us = kLowest; us < highest; us *= 10) {
    pen.strokeStyle = colour('--line');
    pen.beginPath();
    pen.moveTo(kLabelRoom, toY(us));
    pen.lineTo(width, toY(us));
    pen.stroke();
    pen.fillStyle = colour('--quiet');
    pen.fillText(us < 1000 ? `${us} \u00b5s` : us < 1e6 ? `${us / 1e3} ms` : `${us / 1e6} s`, 0, toY(us));
  }
  if (points.length === 0) return;
  const end = points.at(-1).at;
  const toX = (at) => width - (end - at) / kMinute * (width - kLabelRoom);
  const line = (key, name, thickness, dash) => {
    pen.strokeStyle = colour(name);
    pen.lineWidth = thickness;
    pen.setLineDash(dash);
    pen.beginPath();
    let isGap = true;
    for (const point of points) {
      if (!point.isGap) pen[isGap ? 'moveTo' : 'lineTo'](toX(point.at), toY(point[key]));
      isGap = point.isGap;
    }
    pen.stroke();
    pen.setLineDash([]);
  };
  line('p50', '--accent-soft', 2, []);
  line('p99', '--accent', 2, []);
  line('max', '--warm', 1.5, [2, 3]);
}

// A second in which no callback ended has no durations.
function showDurations({ durations }) {
  for (const key of ['p50', 'p99', 'max']) {
    show(`duration-${key}`, durations.callbacks === 0 ? '-' : duration(durations[key]));
  }
}

function addPoint({ at, delay, now }) {
  // What is in progress counts already. A loop that slept for all of the second has no delay.
  const max = now.isBlocked ? Math.max(delay.max, now.awayFor) : delay.max;
  const isGap = delay.iterations === 0 && !now.isBlocked;
  points.push({ at, p50: delay.iterations === 0 ? max : delay.p50, p99: delay.iterations === 0 ? max : delay.p99, max, isGap });
  while (points[0].at < at - kMinute) points.shift();
  show('p50', isGap ? '-' : duration(delay.p50));
  show('p99', isGap ? '-' : duration(points.at(-1).p99));
  show('max', isGap ? '-' : duration(max));
  drawChart();
}

// ---- One frame -----------------------------------------------------------------------------------

function sum(keys, values) {
  return keys.reduce((all, key) => all + values(key), 0);
}

// Rates are of the last half second: those of a tenth would jump.
const frames = [];

function showFigures(frame, before) {
  const passed = Math.max(1, frame.at - before.at);
  const perSecond = (now, then) => (now - then) / passed * 1e6;
  const iterations = perSecond(frame.iterations, before.iterations);
  const { now } = frame;
  for (const box of boxes) {
    const callbacks = sum(box.phases, (phase) => frame.phases[phase].callbacks);
    const calls = perSecond(callbacks, sum(box.phases, (phase) => before.phases[phase].callbacks));
    const isHere = box.phases.includes(now.phase);
    let time = sum(box.phases, (phase) => frame.phases[phase].time - before.phases[phase].time);
    if (isHere) time = Math.max(time, Math.min(passed, now.awayFor));
    const share = time / passed;
    box.cells.rate.textContent = rate(calls);
    box.cells.callbacks.textContent = whole.format(callbacks);
    box.cells.share.textContent = percent(share);
    box.cells.waiting.textContent = whole.format(sum(box.queues, (queue) => frame.depth[queue]));
    box.bar.style.width = percent(share).replace(' ', '');
    box.rate.textContent = calls > 0 ? `${rate(calls)}/s` : '';
    // A phase that works at all is visible; a busy one is prominent.
    box.lit.style.opacity = share > 0.0005 || calls > 0 ? String(0.25 + 0.75 * Math.sqrt(Math.min(1, share))) : '0';
    box.group.classList.toggle('current', isHere);
    box.group.classList.toggle('blocked', isHere && now.isBlocked);
  }
  showKinds(frame, before, perSecond);
  const idle = (frame.idle - before.idle) / passed;
  show('iterations', rate(iterations));
  show('asleep', percent(idle));
  show('busy', percent(1 - idle));
  show('events', rate(perSecond(frame.events, before.events)));
  show('ticks', whole.format(frame.depth.ticks));
  show('handle-count', whole.format(frame.handles));
  show('ring-middle', now.isBlocked ? duration(now.awayFor) : rate(iterations));
  show('ring-under', now.isBlocked ? 'blocked' : now.asleep ? 'iterations/s, asleep' : 'iterations/s');
  document.body.classList.toggle('is-running', iterations > 0);
}

let program;

function showProgram(name, hasEnded) {
  if (name !== program && name !== '') {
    program = name;
    show('program', name);
  }
  document.title = `${hasEnded ? 'Ended: ' : ''}${program ?? 'The loop'} - Rondo`;
}

let wasBlocked = false;
let blockedFor = 0;

function showBlocked({ now }) {
  byId('banner').hidden = !now.isBlocked;
  document.body.classList.toggle('is-blocked', now.isBlocked);
  if (now.isBlocked) {
    blockedFor = now.awayFor;
    show('banner-time', `for ${duration(now.awayFor)}`);
    show('banner-what', now.phase === 'none' ? 'by the main program' : `in the phase ${now.phase}`);
    show('banner-place', now.place);
  }
  // Said once at the beginning and once at the end: a figure that changes would be read out forever.
  if (now.isBlocked && !wasBlocked) show('announcer', 'The loop is blocked.');
  if (!now.isBlocked && wasBlocked) show('announcer', `The loop goes on; it was blocked for ${duration(blockedFor)}.`);
  wasBlocked = now.isBlocked;
}

function showFrame(frame) {
  if (frames.length > 0 && frame.at < frames.at(-1).at) frames.length = 0; // another program
  frames.push(frame);
  if (frames.length > 6) frames.shift();
  if (frame.lists !== undefined) lists = frame.lists;
  if (isPaused && !frame.now.finished) return;
  const { finished } = frame.now;
  const time = duration(frame.at < 1e6 ? frame.at : Math.floor(frame.at / 1e6) * 1e6);
  const iterations = `${whole.format(frame.iterations)} ${frame.iterations === 1 ? 'iteration' : 'iterations'}`;
  show('status', finished ? `has ended after ${time} and ${iterations}` : `has run for ${time}, ${iterations}`);
  showProgram(frame.program, finished);
  showBlocked(frame);
  if (frames.length > 1) showFigures(frame, frames[0]);
  addPoint(frame);
  showDurations(frame);
  if (frame.lists !== undefined || listsWait) {
    listsWait = false;
    showLists();
  }
}

// The figures stay as they were last.
function showEnd() {
  document.body.classList.add('ended');
  document.body.classList.remove('is-running', 'is-blocked');
  byId('banner').hidden = true;
  wasBlocked = false;
  show('ring-under', 'iterations/s, ended');
  show('announcer', 'The program has ended.');
}

// ---- Start ---------------------------------------------------------------------------------------

let isPaused = false;
let listsWait = false;

byId('pause').addEventListener('click', () => {
  isPaused = !isPaused;
  listsWait = !isPaused && lists !== undefined;
  byId('pause').setAttribute('aria-pressed', String(isPaused));
});
document.querySelectorAll('input[name="order"]').forEach((input) => {
  input.addEventListener('change', showSites);
});
window.addEventListener('resize', drawChart);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawChart);

makePhaseRows();
makeKindRows();
makeRing();
drawChart();

const source = new EventSource(`events?token=${encodeURIComponent(token)}`);
source.onopen = () => document.body.classList.remove('lost', 'ended');
source.onmessage = ({ data }) => {
  const frame = JSON.parse(data);
  showFrame(frame);
  if (frame.now.finished) showEnd();
};
source.onerror = () => {
  if (document.body.classList.contains('ended')) return; // until a program of this address is there again
  document.body.classList.add('lost');
  document.body.classList.remove('is-running', 'is-blocked');
  byId('banner').hidden = true;
  wasBlocked = false;
  show('status', 'cannot be reached: it was ended, or this page has been cut off');
};
