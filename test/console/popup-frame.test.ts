// tier: all
/** What the frame of the popup editor keeps out: hostile HTML, messages of other windows; and its use by keys, on a phone, below a path. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { frameOf, openPopup } from './popup-support.ts';

t.setTimeout(600_000);

const hostile = [
  'Text',
  '<script>parent.postMessage({ kind: "content", content: "stolen" }, "*")</script>',
  '<img src=x onerror="document.title = \'ran\'">',
  '<a href="javascript:document.title=\'ran\'">link</a>',
  '<iframe srcdoc="<p>inner</p>"></iframe>',
  '<p style="position: fixed">Paragraph</p>',
].join('');

t.test('hostile HTML runs nothing, is shown as removed, and stays as it is until the text is edited', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, hostile);
  const frame = frameOf(opened);
  const removed = frame.locator('.note[role=status]', { hasText: 'Visitors do not see' });
  await removed.waitFor();
  const list = await removed.locator('li').allTextContents();
  for (const part of [
    '<script>: could run code',
    'onerror: could run code',
    'href: has an address',
    '<iframe>: could load',
    'style: would',
  ])
    t.ok(
      list.some((line) => line.includes(part)),
      `${part} is in the list`,
    );
  await frame.locator('.preview-map').getByText('link').click();
  t.equal(await frame.locator('html').evaluate('document.title'), 'Editor of a popup', 'nothing ran');
  t.equal(await frame.locator('html').evaluate('String(self.origin)'), 'null', 'the frame has no origin');
  t.equal(
    await frame.locator('html').evaluate("(() => { try { return typeof localStorage; } catch { return 'refused'; } })()"),
    'refused',
  );
  t.equal(opened.page.frames().length, 2, 'no further frame');
  await opened.page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilNothingIsUnsaved();
  t.equal(await content(), hostile, 'opening and closing writes nothing');
});

t.test('hostile HTML that is pasted runs nothing, and leaves its text', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Before');
  const frame = frameOf(opened);
  const ran = "document.title='ran'";
  const html = [
    `<p onclick="${ran}">Pasted</p><script>${ran}</script><style>@import "https://example.org/a.css";</style>`,
    `<img src="x" onerror="${ran}"><img src="javascript:${ran}"><svg onload="${ran}"><script>${ran}</script></svg>`,
    `<a href="javascript:${ran}">link</a><a href="data:text/html,<script>${ran}</script>">data</a>`,
    `<math><mtext><table><mglyph><style><img src=x onerror="${ran}"></style></mglyph></table></mtext></math>`,
    `<p data-pm-slice='0 0 ["image",{"src":"javascript:${ran}"}]'>slice</p><iframe srcdoc="<p>inner</p>"></iframe>`,
  ].join('');
  await frame.locator('html').evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', ${JSON.stringify(html).replaceAll('</', '<\\/')});
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
    document.querySelector('.ProseMirror').dispatchEvent(event);
  })()`);
  await frame.locator('.preview-map').getByText('Pasted').waitFor();
  t.match(await frame.locator('.preview-map .content').textContent(), /link/, 'a text without its link');
  t.equal(await frame.locator('html').evaluate('document.title'), 'Editor of a popup', 'nothing ran');
  t.equal(opened.page.frames().length, 2, 'no further frame');
  await opened.page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  t.notMatch(String(await content()), /javascript:|data:|<script|<svg|<iframe|\son\w+=/i);
  t.match(await content(), /Before|Pasted/);
});

t.test('the console ignores messages of other windows, and of unknown kinds', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Kept');
  const { page } = opened;
  await page.evaluate(`(async () => {
    postMessage({ kind: 'content', content: 'of the same window' }, '*');
    const other = document.createElement('iframe');
    other.sandbox = 'allow-scripts';
    other.src = new URL('console/popup', new URL('.', location.href));
    const loaded = new Promise((resolve) => other.addEventListener('load', resolve));
    document.body.append(other);
    await loaded;
  })()`);
  const other = page.frames().at(-1);
  await other?.evaluate("parent.postMessage({ kind: 'content', content: 'of another frame' }, '*')");
  const own = page.frames()[1];
  await own?.evaluate(`for (const message of [{ kind: 'content', content: 1 }, { kind: 'content', content: 'x'.repeat(64 * 1024 * 1024 + 1) },
    { kind: 'remove' }, 'content', null]) parent.postMessage(message, '*')`);
  // Messages of a window arrive in their order, so those above were read once the console has read this one.
  await own?.evaluate("parent.postMessage({ kind: 'close' }, '*')");
  await page.getByRole('dialog', { name: 'Text of the popup' }).waitFor({ state: 'detached' });
  await opened.waitUntilNothingIsUnsaved();
  t.equal(await content(), 'Kept');
});

t.test('keys alone format a text, and leave the editor', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Plain');
  const { page } = opened;
  const frame = frameOf(opened);
  await frame.getByRole('textbox', { name: 'Text of the popup' }).press('Control+A');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await frame.locator('button:focus', { has: frame.locator('text=B') }).waitFor();
  await page.keyboard.press('ArrowRight');
  t.equal(await frame.locator('button:focus').getAttribute('aria-label'), 'Italic');
  await page.keyboard.press('Enter');
  await frame.locator('.preview-map em').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Text of the popup' }).waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await content(), '<p><em>Plain</em></p>');
});

const hours =
  '<p>Water plays <strong>every hour</strong>. <a href="https://example.org/park">The park</a> opens at seven.</p><h3>Hours</h3>' +
  '<ul><li>Monday to Friday: 7 to 22</li><li>Saturday: 9 to 24</li></ul>' +
  '<table><tbody><tr><th>Month</th><th>Visitors</th></tr><tr><td>May</td><td>1,200</td></tr></tbody></table>';

for (const looks of [{ width: 390 }, { width: 1400 }, { width: 1400, dark: true }])
  t.test(`the editor is accessible and fits: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const { opened } = await openPopup(t, hours, looks);
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    await frameOf(opened).getByRole('button', { name: 'Phone' }).click();
    if (looks.width === 1400 && !looks.dark) await keepPicture('console-popup', () => opened.page.screenshot());
    const frame = frameOf(opened).locator('html');
    await frame.evaluate(fs.readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8'));
    const { violations } = (await frame.evaluate(
      // It would fetch the style sheet, which the policy of the frame refuses.
      "axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })",
    )) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    t.strictSame(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('; ')}`),
      [],
    );
    t.equal(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'the frame fits');
    t.strictSame(opened.complaints, []);
  });
