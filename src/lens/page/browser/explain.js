'use strict';
// Draws the document of `rondo explain --json`, which is in the page as #data. Whatever comes from the program
// (labels, files, output) is set as text, never as HTML.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);

  // How many callbacks are drawn at a time.
  const kChunk = 400;
  const kDeepestIndent = 8;
  const kPhases = {
    main: 'the program itself, and what follows it',
    timers: 'timeouts and intervals that are due',
    pending: 'results put off from the iteration before',
    idle: 'inside the loop, every iteration',
    prepare: 'inside the loop, before it waits',
    poll: 'input and output: the loop waits here',
    check: 'immediates',
    close: "'close' of what was torn down",
  };

  const runs = new Map(data.runs.map((run) => [run.id, run]));
  const effects = new Map();
  const outputsOf = new Map();
  for (const run of data.runs) append(effects, run.cause, run);
  for (const output of data.output) append(outputsOf, output.run, output);

  function append(map, key, value) {
    const list = map.get(key);
    if (list === undefined) map.set(key, [value]);
    else list.push(value);
  }

  // ---- Words --------------------------------------------------------------------------------------

  function duration(us) {
    if (us < 1) return `${Math.round(us * 1000)} ns`;
    for (const [limit, divisor, unit] of [[1e3, 1, '\u00b5s'], [1e6, 1e3, 'ms'], [Infinity, 1e6, 's']]) {
      if (us < limit) return `${Number((us / divisor).toPrecision(3))} ${unit}`;
    }
    return '';
  }

  const count = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

  // Paths are long; what they have in common says nothing.
  const folder = commonFolder(data.runs.map((run) => run.site?.file).filter(Boolean));

  function commonFolder(files) {
    if (files.length === 0) return '';
    let common = files[0].slice(0, files[0].lastIndexOf('/') + 1);
    for (const file of files) {
      while (!file.startsWith(common)) common = common.slice(0, common.lastIndexOf('/', common.length - 2) + 1);
    }
    return common;
  }

  const shortFile = (file) => file.slice(folder.length) || file;
  const place = ({ site }) => (site ? `${shortFile(site.file)}:${site.line}:${site.column}` : '');
  const titleOf = (iteration) => (iteration === 0 ? 'Before the first iteration' : `Iteration ${iteration}`);

  // ---- Elements -----------------------------------------------------------------------------------

  // On a narrow screen rows are laid out as blocks; roles keep them a table for assistive technology.
  const kRoles = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', td: 'cell' };
  const kRolesOfHeaders = { col: 'columnheader', row: 'rowheader', rowgroup: 'rowheader' };

  // make('td', { class: 'x' }, 'text', element ...): strings become text.
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    const role = kRoles[tag] ?? kRolesOfHeaders[attributes.scope];
    if (role !== undefined) element.setAttribute('role', role);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children);
    return element;
  }

  function put(element, ...children) {
    element.replaceChildren(...children);
  }

  const chip = (phase) => make('span', { class: `chip phase-${phase}` }, phase);

  // ---- The head of the page -----------------------------------------------------------------------

  function drawHead() {
    const { summary } = data;
    const name = data.program || 'the program';
    document.title = `${name} \u2013 rondo explain`;
    byId('program').textContent = name;
    byId('facts').textContent = [
      count(summary.iterations, 'iteration'),
      count(summary.callbacks, 'callback'),
      `${duration(summary.total)} in all, ${duration(summary.idle)} of it asleep`,
      `backend ${data.backend}`,
      `started ${data.started}`,
    ].join(' \u00b7 ');
    const code = data.exitCode === null ? '' : ` Exit code ${data.exitCode}.`;
    byId('end').textContent = `It ended because ${data.endText}.${code}`;
  }

  function drawShares() {
    const { summary } = data;
    const rows = Object.entries(summary.phases).filter(([, { callbacks }]) => callbacks > 0);
    const parts = rows.map(([phase, { time }]) => [phase, time]);
    parts.push(['asleep', summary.idle]);
    const total = parts.reduce((sum, [, time]) => sum + time, 0) || 1;
    put(byId('shares'), ...parts.map(([phase, time]) => {
      const bar = make('span', { class: `share phase-${phase}`, title: `${phase}: ${duration(time)}` });
      bar.style.flexGrow = time / total;
      return bar;
    }));
    put(byId('phases'),
      make('caption', { class: 'hidden' }, 'Callbacks and time of each phase'),
      make('thead', {}, make('tr', {}, ...['Phase', 'What runs there', 'Callbacks', 'Time'].map(
        (text) => make('th', { scope: 'col' }, text)))),
      make('tbody', {},
        ...rows.map(([phase, { callbacks, time }]) => make('tr', {},
          make('th', { scope: 'row' }, chip(phase)), make('td', {}, kPhases[phase]),
          make('td', { class: 'number' }, callbacks.toLocaleString('en')),
          make('td', { class: 'number' }, duration(time)))),
        make('tr', {}, make('th', { scope: 'row' }, chip('asleep')),
          make('td', {}, 'nothing to do: the loop waits in poll'), make('td'),
          make('td', { class: 'number' }, duration(summary.idle)))));
  }

  // What it was, with a link if it is listed below.
  const named = (id, label) => (runs.has(id) ? linkTo(runs.get(id)) : `#${id} ${label}`);
  const kMostGroups = 20;

  function drawTable(id, caption, columns, rows) {
    byId(id).hidden = rows.length === 0;
    put(byId(`${id}-table`),
      make('caption', { class: 'hidden' }, caption),
      make('thead', {}, make('tr', {}, ...columns.map((text) => make('th', { scope: 'col' }, text)))),
      make('tbody', {}, ...rows.map(([head, ...cells]) => make('tr', {}, make('th', { scope: 'row' }, head),
        ...cells.map((cell) => (typeof cell === 'number' ?
          make('td', { class: 'number' }, cell.toLocaleString('en')) : make('td', {}, cell)))))));
  }

  function drawLongest() {
    drawTable('longest', 'The callbacks that ran longest', ['Callback', 'Ran', 'Scheduled at'],
      data.summary.longest.map((run) => [named(run.id, run.label), duration(run.ran), place(run)]));
  }

  function drawGroups() {
    drawTable('groups', 'Callbacks that are alike, together',
      ['What', 'Where', 'Callbacks', 'Time', 'Longest'],
      data.aggregates.slice(0, kMostGroups).map((group) => [
        group.label, place(group), group.count, duration(group.total),
        runs.has(group.longestRun) ? linkTo(runs.get(group.longestRun), duration(group.longest)) : duration(group.longest)]));
  }

  function drawNotes() {
    if (data.notes.length === 0) return;
    byId('notes').hidden = false;
    put(byId('note-list'), ...data.notes.map(({ run, text }) => make('li', {}, linkTo(runs.get(run)), ` ${text}`)));
  }

  // What was still waited for at the end.
  function drawLeft() {
    if (data.leftUnfinished.length === 0) return;
    byId('left').hidden = false;
    put(byId('left-list'), ...data.leftUnfinished.map(({ what, count: times, site, source }) => make('li', {},
      times > 1 ? `${what} (${times.toLocaleString('en')} times)` : what,
      site === null ? '' : ` ${shortFile(site.file)}:${site.line} `,
      source === undefined ? '' : make('code', {}, source))));
  }

  // ---- The filter ---------------------------------------------------------------------------------

  const filter = { text: '', file: '', without: new Set() };

  function drawFilter() {
    const files = [...new Set(data.runs.map((run) => run.site?.file).filter(Boolean))].sort();
    byId('file').append(...files.map((file) => make('option', { value: file }, shortFile(file))));
    const phases = Object.keys(kPhases).filter((phase) => data.runs.some((run) => run.phase === phase));
    byId('phase-filter').append(...phases.map((phase) => make('label', { class: `chip phase-${phase}` },
      make('input', { type: 'checkbox', value: phase, checked: true }), phase)));
    byId('filter').addEventListener('submit', (event) => event.preventDefault());
    byId('filter').addEventListener('input', () => {
      filter.text = byId('text').value.trim().toLowerCase();
      filter.file = byId('file').value;
      filter.without = new Set(
        [...byId('phase-filter').querySelectorAll('input:not(:checked)')].map(({ value }) => value));
      drawRounds();
    });
  }

  function isShown(run) {
    if (filter.without.has(run.phase)) return false;
    if (filter.file && run.site?.file !== filter.file) return false;
    if (!filter.text) return true;
    const texts = [`#${run.id}`, run.label, run.event, run.site?.file, run.site?.function, place(run), run.why, run.note,
      run.error, run.callback?.function];
    for (const { text } of outputsOf.get(run.id) ?? []) texts.push(text);
    return texts.some((text) => text?.toLowerCase().includes(filter.text));
  }

  // ---- The iterations -----------------------------------------------------------------------------

  const iterations = new Map(data.iterations.map((iteration) => [iteration.number, iteration]));
  let moments = [];  // what is left to draw
  let drawn = new Map();  // id -> its button
  let order = [];  // the ids of the buttons
  let current = null;  // where the next rows go: { number, table, body, phase }

  function drawRounds() {
    const isFiltered = filter.text || filter.file || filter.without.size > 0;
    moments = data.timeline.filter((moment) => {
      if (moment.run !== undefined) return isShown(runs.get(moment.run));
      if (moment.output !== undefined) {
        const run = runs.get(data.output[moment.output].run);
        return run === undefined ? !isFiltered : isShown(run);
      }
      return !isFiltered;
    });
    const shown = moments.filter((moment) => moment.run !== undefined).length;
    byId('count').textContent = `${shown.toLocaleString('en')} of ${count(data.summary.callbacks, 'callback')}`;
    drawn = new Map();
    order = [];
    current = null;
    byId('callbacks').replaceChildren();
    if (shown === 0) byId('callbacks').append(make('p', {}, 'Nothing fits the filter.'));
    drawMore(kChunk);
  }

  function drawMore(most) {
    let left = most;
    while (moments.length > 0 && (left > 0 || moments[0].run === undefined)) {
      const moment = moments.shift();
      if (moment.run !== undefined) {
        drawRun(runs.get(moment.run));
        --left;
      } else if (moment.output !== undefined) {
        drawOutput(data.output[moment.output]);
      } else if (moment.sleep !== undefined) {
        const sleep = data.sleeps[moment.sleep];
        enterPhase(sleep.iteration, 'poll');
        drawLine('sleep', `the loop sleeps ${duration(sleep.asleep)}`);
      } else {
        drawLine('unlisted', `${count(moment.unlisted, 'callback')} not listed here`);
      }
    }
    const rest = moments.filter((moment) => moment.run !== undefined).length;
    byId('more').hidden = rest === 0;
    byId('more').textContent = `Show more: ${count(rest, 'callback')} left`;
    if (order.length > 0 && !order.some((id) => drawn.get(id).tabIndex === 0)) drawn.get(order[0]).tabIndex = 0;
  }

  function enterRound(number) {
    if (current?.number === number) return;
    const iteration = iterations.get(number);
    const title = make('h3', { id: `iteration-${number}` }, titleOf(number));
    if (iteration !== undefined) {
      const asleep = iteration.asleep > 0 ? `, ${duration(iteration.asleep)} asleep` : '';
      title.append(make('small', {}, ` ${duration(iteration.end - iteration.begin)}${asleep}`));
    }
    const table = make('table', { 'aria-labelledby': `iteration-${number}` }, make('thead', {}, make('tr', {},
      ...[['What ran', ''], ['Scheduled at', 'site'], ['by', 'by'], ['Waited', 'number'], ['Ran', 'number']].map(
        ([text, kind]) => make('th', { scope: 'col', class: kind }, text)))));
    const section = make('section', { class: 'iteration', 'aria-labelledby': `iteration-${number}` }, title);
    if (iteration !== undefined) section.append(drawStrip(iteration));
    section.append(make('div', { class: 'scroll' }, table));
    byId('callbacks').append(section);
    current = { number, table, body: null, phase: null };
  }

  function enterPhase(number, phase) {
    enterRound(number);
    if (current.phase === phase) return;
    current.phase = phase;
    current.body = make('tbody', {}, make('tr', { class: 'phase' },
      make('th', { scope: 'rowgroup', colspan: 5 }, chip(phase), make('small', {}, ` ${kPhases[phase]}`))));
    current.table.append(current.body);
  }

  function addRow(row) {
    // Before anything has run there is no table yet.
    if (current === null) enterPhase(0, 'main');
    current.body.append(row);
  }

  function drawRun(run) {
    enterPhase(run.iteration, run.phase);
    const button = make('button', { type: 'button', class: 'run', 'data-run': run.id, tabindex: -1 },
      make('span', { class: 'id' }, `#${run.id}`), ` ${run.label}${run.error ? `: ${run.error}` : ''}`);
    const what = make('td', {}, button);
    what.style.setProperty('--depth', Math.min(run.depth, kDeepestIndent));
    if (run.callback?.function) what.append(make('small', { class: 'why' }, `${run.callback.function}()`));
    if (run.why) what.append(make('small', { class: 'why' }, run.why));
    if (run.note) what.append(make('small', { class: 'note' }, run.note));
    const cause = runs.get(run.cause);
    addRow(make('tr', { class: `row kind-${run.kind}`, 'data-row': run.id }, what,
      make('td', { class: 'site' }, place(run)),
      make('td', { class: 'by', 'data-label': 'by' }, ...(cause ? [linkTo(cause, `#${cause.id}`)] : [])),
      make('td', { class: 'number', 'data-label': 'waited' }, run.waited === undefined ? '' : duration(run.waited)),
      make('td', { class: 'number', 'data-label': 'ran' }, run.unfinished ? 'did not end' : duration(run.ran))));
    drawn.set(run.id, button);
    order.push(run.id);
  }

  function drawOutput(output) {
    addRow(make('tr', { class: `output ${output.stream}` }, make('td', { colspan: 5 },
      make('span', { class: 'stream' }, output.stream), make('pre', {}, output.text))));
  }

  function drawLine(kind, text) {
    addRow(make('tr', { class: kind }, make('td', { colspan: 5 }, text)));
  }

  // The picture of an iteration: its phases, and under them what ran. Sleep takes no more room than a third of the
  // rest, or there would be nothing else to see. For the eye and the mouse only: the table says the same.
  function drawStrip(iteration) {
    const sleeps = data.sleeps.filter(({ iteration: number }) => number === iteration.number);
    const x = scaleOf(iteration, sleeps);
    const phases = make('div', { class: 'lane' });
    for (const { phase, begin, end } of iteration.phases) phases.append(bar(x, begin, end, `phase-${phase}`, phase));
    for (const { begin, end, asleep } of sleeps) phases.append(bar(x, begin, end, 'phase-asleep', `asleep ${duration(asleep)}`));
    const below = make('div', { class: 'lane runs' });
    for (const run of runsOf(iteration.number)) {
      const mark = bar(x, run.begin, run.end, `phase-${run.phase} kind-${run.kind}`, '');
      mark.title = `#${run.id} ${run.label}, ${duration(run.ran)}`;
      mark.dataset.mark = run.id;
      below.append(mark);
    }
    return make('div', { class: 'strip', 'aria-hidden': 'true' }, phases, below);
  }

  const runsByIteration = new Map();
  for (const run of data.runs) append(runsByIteration, run.iteration, run);
  // More marks than pixels are useless.
  const runsOf = (number) => (runsByIteration.get(number) ?? []).slice(0, kChunk);

  function bar(x, begin, end, kind, text) {
    const element = make('span', { class: `bar ${kind}`, title: text || undefined }, text);
    element.style.left = `${x(begin) * 100}%`;
    element.style.width = `${(x(end) - x(begin)) * 100}%`;
    return element;
  }

  // Time -> 0 to 1.
  function scaleOf({ begin, end }, sleeps) {
    const asleep = sleeps.reduce((sum, sleep) => sum + (sleep.end - sleep.begin), 0);
    const awake = Math.max(end - begin - asleep, 0.001);
    const shrink = asleep > awake / 3 ? awake / 3 / asleep : 1;
    const whole = awake + asleep * shrink;
    return (time) => {
      let shown = time - begin;
      for (const sleep of sleeps) {
        const slept = Math.min(Math.max(time - sleep.begin, 0), sleep.end - sleep.begin);
        shown -= slept * (1 - shrink);
      }
      return Math.min(Math.max(shown / whole, 0), 1);
    };
  }

  // ---- One callback: what led to it, what it led to -----------------------------------------------

  const linkTo = (run, text = `#${run.id} ${run.label}`) =>
    make('button', { type: 'button', class: 'link', 'data-link': run.id, title: `#${run.id} ${run.label}` }, text);

  function chainOf(run) {
    const chain = [];
    for (let cause = runs.get(run.cause); cause !== undefined; cause = runs.get(cause.cause)) chain.unshift(cause);
    return chain;
  }

  let selected = null;

  function select(id) {
    const run = runs.get(id);
    selected = id;
    mark(run);
    byId('details-title').textContent = `#${run.id} ${run.label}`;
    const facts = [['Phase', chip(run.phase)], ['Iteration', run.iteration === 0 ? 'before the first' : `${run.iteration}`]];
    if (run.site) facts.push(['Scheduled at', `${run.site.file}:${run.site.line}:${run.site.column}`]);
    if (run.site?.function) facts.push(['in', run.site.function]);
    if (run.waited !== undefined) facts.push(['Waited', duration(run.waited)]);
    if (run.callback) {
      const { file, line, column, function: name } = run.callback;
      facts.push(['Callback', `${name ? `${name} ` : ''}${file}:${line}:${column}`]);
    }
    if (run.error) facts.push(['Error', run.error]);
    facts.push(['Ran', run.unfinished ? 'did not end' : duration(run.ran)]);
    if (run.why) facts.push(['Why now', run.why]);
    if (run.note) facts.push(['Order', run.note]);
    const parts = [make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]))];
    const chain = chainOf(run);
    if (chain.length > 0) parts.push(make('h3', {}, 'What led to it'), listOf('ol', chain));
    const led = effects.get(id) ?? [];
    if (led.length > 0) parts.push(make('h3', {}, `What it scheduled (${led.length})`), listOf('ul', led.slice(0, 100)));
    const printed = outputsOf.get(id) ?? [];
    if (printed.length > 0) {
      parts.push(make('h3', {}, 'What it printed'), make('pre', {}, printed.map(({ text }) => text).join('')));
    }
    put(byId('details-body'), ...parts);
    byId('details').hidden = false;
    document.body.classList.add('with-details');
  }

  const listOf = (tag, list) => make(tag, {}, ...list.map((run) => make('li', {}, linkTo(run))));

  function closeDetails() {
    byId('details').hidden = true;
    document.body.classList.remove('with-details');
    const button = drawn.get(selected);
    selected = null;
    clearMarks();
    button?.focus();
  }

  function clearMarks() {
    for (const element of document.querySelectorAll('.is-this, .is-cause, .is-effect')) {
      element.classList.remove('is-this', 'is-cause', 'is-effect');
    }
  }

  function mark(run) {
    clearMarks();
    const add = ({ id }, kind) => {
      drawn.get(id)?.closest('tr').classList.add(kind);
      document.querySelector(`[data-mark="${id}"]`)?.classList.add(kind);
    };
    add(run, 'is-this');
    for (const cause of chainOf(run)) add(cause, 'is-cause');
    for (const effect of effects.get(run.id) ?? []) add(effect, 'is-effect');
  }

  // The button of a callback, drawn now if it is further down; undefined if the filter hides it.
  function reach(id) {
    while (!drawn.has(id) && moments.some((moment) => moment.run === id)) drawMore(kChunk);
    return drawn.get(id);
  }

  function focusRun(id) {
    const button = reach(id);
    if (button === undefined) return;
    for (const other of document.querySelectorAll('.run[tabindex="0"]')) other.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
    button.scrollIntoView({ block: 'nearest' });
  }

  // ---- Mouse and keys -----------------------------------------------------------------------------

  const idOf = (target, name) => {
    const element = target instanceof Element ? target.closest(`[data-${name}]`) : null;
    return element === null ? null : Number(element.dataset[name]);
  };

  document.addEventListener('click', ({ target }) => {
    const link = idOf(target, 'link') ?? idOf(target, 'mark');
    if (link !== null) {
      focusRun(link);
      select(link);
      return;
    }
    const id = idOf(target, 'run') ?? idOf(target, 'row');
    if (id !== null) {
      focusRun(id);
      select(id);
    }
  });

  // While something is selected its marks stay, wherever the mouse goes.
  for (const type of ['mouseover', 'focusin']) {
    byId('callbacks').addEventListener(type, ({ target }) => {
      const id = idOf(target, 'row') ?? idOf(target, 'mark');
      if (id !== null && selected === null) mark(runs.get(id));
    });
  }
  byId('callbacks').addEventListener('mouseleave', () => {
    if (selected === null) clearMarks();
  });
  byId('more').addEventListener('click', () => drawMore(kChunk));
  byId('close').addEventListener('click', closeDetails);

  const kSteps = {
    ArrowDown: (id) => order[order.indexOf(id) + 1],
    ArrowUp: (id) => order[order.indexOf(id) - 1],
    Home: () => order[0],
    End: () => order[order.length - 1],
    ArrowLeft: (id) => runs.get(id).cause,
    ArrowRight: (id) => effects.get(id)?.[0].id,
  };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && selected !== null) {
      closeDetails();
      return;
    }
    const isTyping = event.target instanceof Element && event.target.matches('input, select');
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      byId('text').focus();
      return;
    }
    const id = idOf(event.target, 'run');
    const step = kSteps[event.key];
    if (id === null || step === undefined) return;
    event.preventDefault();
    const next = step(id);
    if (next === undefined || next === null) return;
    focusRun(next);
    if (selected !== null && drawn.has(next)) select(next);
  });

  drawHead();
  drawShares();
  drawLongest();
  drawGroups();
  drawNotes();
  drawLeft();
  drawFilter();
  drawRounds();
})();
