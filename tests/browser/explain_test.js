'use strict';
// The page that `rondo explain --html=FILE` writes, opened from the file.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { pathToFileURL } = require('node:url');

const { launch, rondo, root } = require('./browser.js');

let browser;
let folder;
test.before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-explain-'));
  browser = await launch();
});
test.after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true });
});

// Explains a script and opens the page. `troubles` hears of everything that goes wrong in it, and of every request.
async function open(script, options = {}) {
  const file = path.join(folder, `${path.basename(script)}.html`);
  spawnSync(rondo, ['explain', `--html=${file}`, script], { cwd: root });
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  const troubles = [];
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(`${error}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  const address = `${pathToFileURL(file)}`;
  page.on('request', (request) => {
    if (request.url() !== address) troubles.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  const document = JSON.parse(await page.locator('#data').textContent());
  return { page, troubles, document };
}

const focused = (page) => page.evaluate(() => Number(document.activeElement.dataset.run));

test('shows every callback, its cause and its output, without errors and requests', async () => {
  const { page, troubles, document } = await open('examples/js/immediate_inside_io.js');
  assert.strictEqual(await page.title(), 'examples/js/immediate_inside_io.js \u2013 rondo explain');
  assert.strictEqual(await page.locator('.run').count(), document.runs.length);
  assert.deepStrictEqual(await page.locator('tr.output pre').allTextContents(), ['immediate\n', 'timeout\n']);
  const immediate = document.runs.find(({ kind }) => kind === 'immediate');
  await page.locator(`.run[data-run="${immediate.id}"]`).click();
  const chain = await page.locator('#details ol .link').allTextContents();
  assert.match(chain.at(-1), /readFile/);
  assert(chain[0].startsWith('#1 '), chain[0]);
  assert.strictEqual(await page.locator('#details pre').textContent(), 'immediate\n');
  assert(await page.locator(`tr[data-row="${immediate.cause}"].is-cause`).isVisible());
  // The last of the chain is a button that leads there; what it scheduled is listed.
  await page.locator('#details ol .link').last().click();
  assert.strictEqual(await focused(page), immediate.cause);
  assert((await page.locator('#details ul .link').allTextContents()).some((text) => /setTimeout/.test(text)));
  assert.deepStrictEqual(troubles, []);
  await page.close();
});

test('text of the program stays text', async () => {
  const { page, troubles } = await open('tests/lens/programs/hostile.js');
  const hostile = '</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>';
  assert.strictEqual(await page.locator('tr.output.stdout pre').first().textContent(), `${hostile}\n`);
  assert.strictEqual(await page.locator('tr.output.stderr pre').first().textContent(), `]]>'"&lt;${hostile}\u2028\n`);
  const labels = await page.locator('.run').allTextContents();
  assert(labels.some((label) => label.includes(hostile)), labels.join());
  for (let i = 0; i < labels.length; ++i) await page.locator('.run').nth(i).click();
  assert.strictEqual(await page.locator('img').count(), 0);
  assert.strictEqual(await page.locator('script').count(), 2);
  assert.deepStrictEqual(troubles, []);
  // And if it did not, the policy would stop it.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "broken"';
    document.body.append(script);
  });
  assert.notStrictEqual(await page.title(), 'broken');
  assert.match(troubles.join(), /Content Security Policy/);
  await page.close();
});

test('keys: down, up, to the cause, to the effect, open, close, filter', async () => {
  const { page, troubles, document } = await open('examples/js/immediate_inside_io.js');
  const ids = document.runs.map(({ id }) => id);
  const immediate = document.runs.find(({ kind }) => kind === 'immediate');
  await page.locator('#file').focus();
  for (let i = 0; i < 12 && !(await focused(page)); ++i) await page.keyboard.press('Tab');
  assert.strictEqual(await focused(page), ids[0], 'the callbacks are one stop of Tab, the first one');
  await page.keyboard.press('ArrowDown');
  assert.strictEqual(await focused(page), ids[1]);
  await page.keyboard.press('ArrowUp');
  assert.strictEqual(await focused(page), ids[0]);
  await page.keyboard.press('End');
  assert.strictEqual(await focused(page), ids.at(-1));
  while (await focused(page) !== immediate.id) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.strictEqual(await focused(page), immediate.cause);
  await page.keyboard.press('ArrowRight');
  assert.strictEqual(document.runs.find(({ cause }) => cause === immediate.cause).id, await focused(page));
  const here = await focused(page);
  await page.keyboard.press('Enter');
  assert(await page.locator('#details').isVisible());
  await page.keyboard.press('Escape');
  assert(!await page.locator('#details').isVisible());
  assert.strictEqual(await focused(page), here, 'the focus is where it was');
  await page.keyboard.press('/');
  await page.keyboard.type('immediate\n');
  assert.match(await page.locator('#count').textContent(), /^\d+ of \d+ callbacks$/);
  const shown = await page.locator('.run').allTextContents();
  assert(shown.length > 0 && shown.length <= ids.length);
  assert.deepStrictEqual(troubles, []);
  await page.close();
});

test('the tables of the summary: what ran longest, and by what and where', async () => {
  const { page, troubles, document } = await open('tests/lens/programs/mixed.js');
  const rowsOf = (id) => page.locator(`#${id}-table tbody tr`);
  const { summary: { longest }, aggregates } = document;
  assert.strictEqual(await rowsOf('longest').count(), longest.length);
  assert.match(await rowsOf('longest').first().textContent(), new RegExp(`^#${longest[0].id} `));
  assert.strictEqual(await rowsOf('groups').count(), Math.min(aggregates.length, 20));
  assert((await rowsOf('groups').first().textContent()).startsWith(aggregates[0].label));
  await rowsOf('longest').first().locator('.link').click();
  assert.strictEqual(await focused(page), longest[0].id);
  assert.deepStrictEqual(troubles, []);
  await page.close();
});

test('filters: by text, by phase, by file', async () => {
  const { page, document } = await open('tests/lens/programs/mixed.js');
  const count = () => page.locator('.run').count();
  await page.locator('#text').fill('back: hello');
  const printing = document.output.find(({ text }) => text === 'back: hello\n').run;
  assert.deepStrictEqual(await page.locator('.run').evaluateAll((all) => all.map((run) => Number(run.dataset.run))),
    [printing]);
  await page.locator('#text').fill('no such thing');
  assert.strictEqual(await count(), 0);
  await page.locator('#text').fill('');
  assert.strictEqual(await count(), document.runs.length);
  await page.locator('#phase-filter input[value="timers"]').uncheck();
  assert.strictEqual(await count(), document.runs.filter(({ phase }) => phase !== 'timers').length);
  await page.locator('#phase-filter input[value="timers"]').check();
  const [file] = await page.locator('#file option').evaluateAll((all) => all.map(({ value }) => value).slice(1));
  await page.locator('#file').selectOption(file);
  assert.strictEqual(await count(), document.runs.filter(({ site }) => site?.file === file).length);
  await page.close();
});

test('tables for those who do not see the picture', async () => {
  const { page, document } = await open('examples/js/phases.js');
  for (const width of [1200, 380]) {
    await page.setViewportSize({ width, height: 800 });
    assert.strictEqual(await page.getByRole('table').count(), document.iterations.length + 3);
    const table = page.getByRole('table', { name: /^Before the first iteration/ });
    assert.deepStrictEqual(await table.getByRole('columnheader').allTextContents(),
      ['What ran', 'Scheduled at', 'by', 'Waited', 'Ran']);
    assert.strictEqual(await table.getByRole('row').filter({ has: page.locator('.run') }).count(),
      document.runs.filter(({ iteration }) => iteration === 0).length);
  }
  assert.strictEqual(await page.locator('.strip:not([aria-hidden="true"])').count(), 0);
  await page.close();
});

test('light and dark, wide and narrow', async () => {
  const backgrounds = [];
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1200, 360]) {
      const { page, troubles } = await open('examples/js/phases.js', { colorScheme, viewport: { width, height: 700 } });
      await page.locator('.run').last().click();
      assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true,
        `no scrolling sideways at ${width}`);
      const contrasts = await page.evaluate(measureContrasts);
      for (const { text, ratio } of contrasts) assert(ratio >= 4.5, `${colorScheme}: '${text}' has a contrast of ${ratio}`);
      backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      assert.deepStrictEqual(troubles, []);
      await page.close();
    }
  }
  assert.notStrictEqual(backgrounds[0], backgrounds[2]);
});

// In the page: the contrast, as WCAG has it, of every piece of text with what is behind it.
function measureContrasts() {
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('body *:not(script, .bar)')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return { text: element.textContent.trim().slice(0, 40), ratio };
    });
}
