'use strict';
// The live page of --lens. By hand, to make the picture of docs/ anew:
//
//     RONDO_SCREENSHOT=1 node --test tests/browser/lens_test.js

const { test, before, after } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { spawn, spawnSync } = require('node:child_process');
const { kPatience, launch, rondo, root } = require('./browser.js');

const program = path.join(__dirname, 'fixtures/busy_program.js');

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

// Runs the program with --lens; `address` is that of the page. It does what its standard input says.
async function start(t, ...options) {
  const child = spawn(rondo, [...options, program],
    { cwd: path.dirname(program), stdio: ['pipe', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  const address = await new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = /^rondo: the lens is at (http:\S+)\n/.exec(text);
      if (found !== null) resolve(found[1]);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  return { child, address, origin: new URL(address).origin, tell: (line) => child.stdin.write(`${line}\n`) };
}

async function open(t, address, options = {}) {
  const context = await browser.newContext(options);
  t.after(() => context.close());
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  await page.goto(address);
  return page;
}

const cell = (page, phase, column) =>
  page.locator('#phases tbody tr', { has: page.locator(`th:text-is("${phase}")`) })
    .locator('th, td').nth(column);

async function numberIn(locator) {
  return Number((await locator.textContent()).replace(/[^0-9.]/g, ''));
}

async function until(what, condition) {
  const end = Date.now() + kPatience;
  while (!await condition()) {
    if (Date.now() > end) assert.fail(`did not happen: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

test('figures move under load', async (t) => {
  const { address, tell } = await start(t, '--lens');
  const page = await open(t, address);
  await until('the phases are there', async () => await numberIn(cell(page, 'timers', 2)) > 0);
  const callbacks = cell(page, 'check', 2);
  await until('no immediates', async () => await numberIn(cell(page, 'check', 1)) === 0);
  tell('load');
  await until('immediates are counted', async () => await numberIn(callbacks) > 1000);
  await until('and their rate', async () => await numberIn(cell(page, 'check', 1)) > 1000);
  const once = await numberIn(callbacks);
  await until('the figures go on', async () => await numberIn(callbacks) > once);
  await until('delays are there', async () => /[0-9] (\u00b5s|ms|s)$/.test(await page.textContent('#p99')));
  for (const id of ['p50', 'p99', 'duration-p50', 'duration-p99', 'duration-max']) {
    await until(`${id} is a round figure`,
      async () => /^([0-9]{1,3}|[0-9]\.[0-9]{1,2}|[0-9]{2}\.[0-9]) (\u00b5s|ms|s)$/.test(await page.textContent(`#${id}`)));
  }
  await until('handles are there', async () => await page.locator('#handles tbody tr').count() > 0);
  assert.ok(await numberIn(page.locator('#iterations')) > 0);
  const lit = page.locator('#ring .phase', { hasText: 'check' }).locator('.lit');
  // Every frame computes it anew: one in which the machine gave the program no time has nothing to light.
  await until('the check phase is lit', () => lit.evaluate((element) => Number(element.style.opacity) > 0.2));
  assert.deepStrictEqual(page.complaints, []);
});

test('what runs, by kind', async (t) => {
  const { address, tell } = await start(t, '--lens');
  const page = await open(t, address);
  const row = (name) => page.locator('#kinds tbody tr', { has: page.locator(`th:text-is("${name}")`) });
  const figure = (name, column) => numberIn(row(name).locator('td').nth(column));
  await until('its interval is counted', async () => await figure('intervals', 1) > 0);
  await until('and has a rate', async () => await figure('intervals', 0) > 0);
  // What has no values is not shown.
  assert.strictEqual(await row('signals').isVisible(), false);
  assert.strictEqual(await page.getByRole('rowheader', { name: 'signals' }).count(), 0);
  tell('kinds');
  for (const name of ['timeouts', 'immediates', 'ticks', 'promises, microtasks', 'files', 'sockets']) {
    await until(`${name} are counted`, async () => await row(name).isVisible() && await figure(name, 1) > 20);
    const once = await figure(name, 1);
    await until(`${name} have a rate`, async () => await figure(name, 0) > 0);
    await until(`${name} go on`, async () => await figure(name, 1) > once);
    await until(`${name} are not dimmed`, async () => !/rests/.test(await row(name).getAttribute('class') ?? ''));
  }
  // The main program has run, and does not any more.
  await until('it rests', async () => await row('main program').getAttribute('class') === 'rests');
  assert.strictEqual(await figure('main program', 1), 1);
  assert.deepStrictEqual(page.complaints, []);
});

test('the chart is drawn', async (t) => {
  const { address } = await start(t, '--lens');
  const page = await open(t, address);
  const colours = () => page.evaluate(() => {
    const canvas = document.getElementById('delay');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const all = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) all.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
    return [...all];
  });
  await until('the line of the longest', async () => (await colours()).includes('180,69,31'));
});

test('stays responsive while the loop is blocked, and shows it', async (t) => {
  const { address, tell } = await start(t, '--lens');
  const page = await open(t, address);
  await until('it runs', async () => await numberIn(cell(page, 'timers', 2)) > 0);
  const banner = page.locator('#banner');
  await until('nothing blocks it', async () => !await banner.isVisible());
  // It goes on when there is a file, and not before.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-browser-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'go-on');
  tell(`hold ${file}`);
  await banner.waitFor({ state: 'visible' });
  await until('where it is', async () => /^holdUp \(busy_program\.js:[0-9]+\)$/.test(await page.textContent('#banner-place')));
  assert.match(await page.textContent('#announcer'), /^The loop is blocked/);
  const first = await page.textContent('#banner-time');
  await until('its time goes on', async () => await page.textContent('#banner-time') !== first);
  assert.match(await page.textContent('#banner-what'), /phase (poll|timers|check)/);
  assert.strictEqual(await page.textContent('#ring-under'), 'blocked');
  // What does not need the loop works meanwhile.
  const another = await open(t, address);
  await another.locator('#banner').waitFor({ state: 'visible' });
  await page.getByLabel('Most time').check();
  assert.ok(await banner.isVisible());
  fs.writeFileSync(file, '');
  await banner.waitFor({ state: 'hidden' });
  await until('it is announced', async () =>
    /^The loop goes on; it was blocked for [0-9]/.test(await page.textContent('#announcer')));
  await until('it is in the list', async () => /holdUp \(busy_program\.js:/.test(await page.textContent('#blocked')));
  await until('and among the slowest', async () => /busy_program\.js/.test(await page.textContent('#sites')));
  assert.deepStrictEqual(page.complaints, []);
});

test('with the keyboard alone', async (t) => {
  const { address, tell } = await start(t, '--lens');
  const page = await open(t, address);
  tell('block 60');
  for (const list of ['sites', 'blocked', 'handles']) {
    await until(`there is one of the ${list}`, async () => await page.locator(`#${list} tbody tr`).count() > 0);
  }
  const focused = () => page.evaluate(() => {
    const element = document.activeElement;
    const outline = getComputedStyle(element);
    return { name: element.id || element.value || element.getAttribute('aria-labelledby') || element.className,
      isSeen: outline.outlineStyle === 'solid' && parseFloat(outline.outlineWidth) >= 2 };
  });
  const names = [];
  for (let i = 0; i < 7; i++) {
    await page.keyboard.press('Tab');
    const { name, isSeen } = await focused();
    names.push(name);
    assert.ok(isSeen, `the focus is seen at ${name}`);
  }
  assert.deepStrictEqual(names, ['skip', 'pause', 'figures-title', 'slowest', 'sites-title', 'blocked-title', 'handles-title']);
  await page.locator('input[value="slowest"]').focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.locator('input[value="busiest"]').isChecked());
  await page.locator('#pause').focus();
  await page.keyboard.press('Enter');
  assert.strictEqual(await page.getAttribute('#pause', 'aria-pressed'), 'true');
  const still = await page.textContent('#phases');
  await page.waitForTimeout(500);
  assert.strictEqual(await page.textContent('#phases'), still);
  await page.keyboard.press('Space');
  await until('it goes on', async () => await page.textContent('#phases') !== still);
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  assert.strictEqual((await focused()).name, 'figures');
});

test('for a screen reader', async (t) => {
  const { address } = await start(t, '--lens');
  const page = await open(t, address);
  await until('it runs', async () => await numberIn(cell(page, 'timers', 2)) > 0);
  assert.strictEqual(await page.locator('main').count(), 1);
  assert.strictEqual(await page.locator('header').count(), 1);
  assert.strictEqual(await page.getByRole('heading', { level: 1 }).textContent(), 'busy_program.js');
  assert.strictEqual(await page.title(), 'busy_program.js - Rondo');
  for (const name of ['The ring', 'Phases', 'What runs', 'Loop delay', 'Slowest callbacks', 'Blocked moments', 'Open handles']) {
    assert.strictEqual(await page.getByRole('heading', { level: 2, name }).count(), 1, name);
  }
  const table = page.getByRole('table').first();
  assert.strictEqual(await table.getByRole('columnheader').count(), 5);
  assert.strictEqual(await table.getByRole('rowheader').count(), 6);
  assert.strictEqual(await page.getByRole('img', { name: /The ring/ }).count(), 1);
  assert.strictEqual(await page.getAttribute('#announcer', 'aria-live'), 'polite');
  assert.strictEqual(await page.getAttribute('html', 'lang'), 'en');
});

// The contrast of two colours, WCAG 2.
function contrast(a, b) {
  const luminance = (colour) => {
    const [r, g, bl] = colour.match(/[0-9.]+/g).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

for (const colorScheme of ['light', 'dark']) {
  test(`can be read: ${colorScheme}`, async (t) => {
    const { address } = await start(t, '--lens');
    const page = await open(t, address, { colorScheme });
    const colours = await page.evaluate(() => {
      const of = (selector) => getComputedStyle(document.querySelector(selector));
      document.getElementById('banner').hidden = false;
      return {
        ground: of('body').backgroundColor,
        pairs: {
          text: [of('body').color, of('.card').backgroundColor],
          note: [of('.note').color, of('.card').backgroundColor],
          status: [of('#status').color, of('body').backgroundColor],
          banner: [of('#banner h2').color, of('#banner').backgroundColor],
        },
      };
    });
    const isDark = contrast(colours.ground, 'rgb(0,0,0)') < 4;
    assert.strictEqual(isDark, colorScheme === 'dark');
    for (const [name, [ink, ground]] of Object.entries(colours.pairs)) {
      assert.ok(contrast(ink, ground) >= 4.5, `${name}: ${ink} on ${ground}`);
    }
  });
}

test('nothing moves for those who do not want it', async (t) => {
  const { address, tell } = await start(t, '--lens');
  tell('load');
  for (const reducedMotion of ['reduce', 'no-preference']) {
    const page = await open(t, address, { reducedMotion });
    await page.locator('body.is-running').waitFor();
    const name = await page.locator('#ring .runner').evaluate((element) => getComputedStyle(element).animationName);
    assert.strictEqual(name, reducedMotion === 'reduce' ? 'none' : 'orbit');
  }
});

test('fits a narrow screen', async (t) => {
  const { address, tell } = await start(t, '--lens');
  tell('block 60');
  const page = await open(t, address, { viewport: { width: 340, height: 700 } });
  await until('there is a slow callback', async () => await page.locator('#sites tbody tr').count() > 0);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 340, `${width} pixels`);
});

test('needs nothing from elsewhere', async (t) => {
  const { address, origin } = await start(t, '--lens');
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address);
  await until('it runs', async () => await numberIn(cell(page, 'timers', 2)) > 0);
  for (const url of asked) assert.ok(url.startsWith(`${origin}/`) || url.startsWith('data:'), url);
});

test('what the program says of itself stays text', async (t) => {
  const { address, tell } = await start(t, '--lens');
  const page = await open(t, address);
  tell('markup');
  await until('it is in the list', async () => /<img src=x/.test(await page.textContent('#sites')));
  assert.strictEqual(await page.locator('#sites img').count(), 0);
});

test('says when the program has ended', async (t) => {
  const { address, child } = await start(t, '--lens');
  const page = await open(t, address);
  await until('it runs', async () => await numberIn(cell(page, 'timers', 2)) > 0);
  child.kill('SIGKILL');
  await until('it says so', async () => /cannot be reached/.test(await page.textContent('#status')));
});

test('the last figures stay when the program has ended', async (t) => {
  const { address, child, tell } = await start(t, '--lens');
  const page = await open(t, address);
  await until('it runs', async () => await numberIn(cell(page, 'timers', 2)) > 0);
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  tell('exit');
  await ended;
  await until('it says so', async () => /^has ended after .* iterations$/.test(await page.textContent('#status')));
  assert.strictEqual(await page.title(), 'Ended: busy_program.js - Rondo');
  assert.strictEqual(await page.textContent('#announcer'), 'The program has ended.');
  assert.ok(await numberIn(cell(page, 'timers', 2)) > 0);
  assert.ok(await page.locator('#handles tbody tr').count() > 0);
  // The browser tries again, and there is nothing: that it has ended is known, and stays.
  await page.waitForEvent('requestfailed');
  assert.match(await page.textContent('#status'), /^has ended after/);
});

test('a slow callback can be read on a telephone', async (t) => {
  const { address, tell } = await start(t, '--lens');
  tell('slow');
  const page = await open(t, address, { viewport: { width: 390, height: 844 } });
  const row = page.locator('#sites tbody tr', { hasText: 'aFunctionWithARatherLongName' });
  await row.waitFor();
  const hidden = await page.locator('#sites').evaluate((table) => table.closest('.scroll').scrollWidth - table.closest('.scroll').clientWidth);
  assert.ok(hidden <= 0, `${hidden} pixels are out of sight`);
  for (const part of await row.locator('th, td').all()) {
    const { x, width } = await part.boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${await part.textContent()} is at ${x}, and ${width} wide`);
  }
  assert.match(await row.textContent(), /setTimeout 33\.33 ms/);
});

test('a hostile page on another origin gets nothing', async (t) => {
  const { address, origin } = await start(t, '--lens');
  const token = new URL(address).searchParams.get('token');
  // Another program on this machine, with a page that the same browser shows; and what came to it.
  const seen = [];
  const hostile = http.createServer((request, response) => {
    seen.push(request.rawHeaders.join(' '));
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><body>');
  });
  await new Promise((resolve) => { hostile.listen(0, '127.0.0.1', resolve); });
  t.after(() => hostile.close());
  const context = await browser.newContext();
  t.after(() => context.close());
  const own = await context.newPage();
  await own.goto(address);
  await until('the real page works', async () => await numberIn(cell(own, 'timers', 2)) > 0);

  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${hostile.address().port}/`);
  // Even with the token: whoever has it needs it from outside of a browser.
  for (const guess of ['', '?token=', `?token=${'0'.repeat(32)}`, `?token=${token}`]) {
    const got = await page.evaluate(async ({ origin, guess }) => {
      const results = {};
      const outcome = (element) => new Promise((resolve) => {
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('error');
      });
      for (const path of ['/', '/snapshot.json', '/metrics', '/events']) {
        const url = origin + path + guess;
        results[`fetch ${path}`] = await fetch(url).then((answer) => answer.text(), () => 'error');
        const opaque = await fetch(url, { mode: 'no-cors' }).then((answer) => answer.text(), () => '');
        results[`no-cors ${path}`] = opaque === '' ? 'error' : opaque;
        results[`credentials ${path}`] = await fetch(url, { credentials: 'include' }).then((answer) => answer.text(), () => 'error');
        const image = new Image();
        image.src = url;
        results[`img ${path}`] = await outcome(image);
        const script = document.createElement('script');
        script.src = url;
        document.body.append(script);
        results[`script ${path}`] = await outcome(script);
        const frame = document.createElement('iframe');
        frame.src = url;
        document.body.append(frame);
        await new Promise((resolve) => { frame.onload = resolve; });
        let inside = 'error';
        try {
          inside = frame.contentDocument === null ? 'error' : frame.contentDocument.body.textContent || 'error';
        } catch { /* another origin: as it should be */ }
        results[`iframe ${path}`] = inside;
      }
      results.EventSource = await new Promise((resolve) => {
        const source = new EventSource(`${origin}/events${guess}`);
        source.onmessage = ({ data }) => resolve(data);
        source.onerror = () => { source.close(); resolve('error'); };
      });
      results['fetch POST'] = await fetch(`${origin}/${guess}`, { method: 'POST', body: 'x' })
        .then((answer) => answer.text(), () => 'error');
      return results;
    }, { origin, guess });
    for (const [way, result] of Object.entries(got)) assert.strictEqual(result, 'error', `${way} with "${guess}"`);
    for (const frame of page.frames().slice(1)) {
      assert.doesNotMatch(await frame.content(), /<h1 id="program"|rondo_callbacks_total|"iterations":/, `the frame with "${guess}"`);
    }
    // A form leaves the page: what it arrives at is a refusal.
    const form = await context.newPage();
    await form.goto(`http://127.0.0.1:${hostile.address().port}/`);
    await form.evaluate(({ url }) => {
      const element = document.createElement('form');
      element.method = 'post';
      element.action = url;
      document.body.append(element);
      element.submit();
    }, { url: `${origin}/${guess}` });
    await form.waitForURL(`${origin}/**`);
    assert.match(await form.textContent('body'), /^rondo: only GET and HEAD/);
    await form.close();
  }
  // Nor does anything of ours come to it: no cookie, no address.
  for (const headers of seen) assert.ok(!headers.includes(token), headers);
  assert.deepStrictEqual(await context.cookies(), []);
});

// ---- The command line ------------------------------------------------------------------------------

test('the process ends when the program does', () => {
  const { status, stderr, stdout } = spawnSync(rondo, ['--lens', '-e', 'setTimeout(() => console.log("done"), 20)'],
    { encoding: 'utf8', timeout: kPatience });
  assert.strictEqual(stdout, 'done\n');
  assert.match(stderr, /^rondo: the lens is at http:\/\/127\.0\.0\.1:[0-9]+\/\?token=[0-9a-f]{32}\n$/);
  assert.strictEqual(status, 0);
});

test('a port can be chosen', async (t) => {
  const probe = net.createServer();
  await new Promise((resolve) => { probe.listen(0, '127.0.0.1', resolve); });
  const { port } = probe.address();
  const refused = spawnSync(rondo, [`--lens=${port}`, '-e', 'console.log("ran")'], { encoding: 'utf8', timeout: kPatience });
  assert.strictEqual(refused.stdout, '');
  assert.strictEqual(refused.stderr, `rondo: --lens cannot have port ${port} of 127.0.0.1: Address already in use\n`);
  assert.strictEqual(refused.status, 1);
  await new Promise((resolve) => { probe.close(resolve); });
  const { origin } = await start(t, `--lens=${port}`);
  assert.strictEqual(origin, `http://127.0.0.1:${port}`);
});

test('what is no port is refused', () => {
  for (const value of ['x', '65536', '-1', '80x', '1.5', ' 80']) {
    const { status, stdout, stderr } = spawnSync(rondo, [`--lens=${value}`, '-e', 'console.log("ran")'],
      { encoding: 'utf8', timeout: kPatience });
    assert.strictEqual(stdout, '');
    assert.match(stderr, new RegExp(`: --lens takes a port, 0 to 65535, not "${value}"\n$`));
    assert.strictEqual(status, 9);
  }
});

// ---- The picture -----------------------------------------------------------------------------------

if (process.env.RONDO_SCREENSHOT) test('the picture of docs/', async (t) => {
  const { address, tell } = await start(t, '--lens');
  const page = await open(t, address, { colorScheme: 'light', viewport: { width: 1280, height: 1416 }, deviceScaleFactor: 1 });
  tell('work');
  await page.waitForTimeout(12000);
  tell('block 400');
  await page.waitForTimeout(6000);
  tell('block 120');
  await page.waitForTimeout(4000);
  await page.screenshot({ path: path.join(root, 'docs/lens.png') });
});
