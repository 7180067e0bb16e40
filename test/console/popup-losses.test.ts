// tier: all
/** The popup editor loses nothing: popups that other users delete, content of the clipboard, dropped files, lengths. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import type { ConsolePage } from './console-page.ts';
import { frameOf, openPopup } from './popup-support.ts';

t.setTimeout(600_000);

/** Types into the text view, and waits until the console knows of it. */
async function typeText(opened: ConsolePage, text: string): Promise<void> {
  await frameOf(opened).getByRole('textbox', { name: 'Text of the popup' }).fill(text);
  await frameOf(opened).locator('.preview-map').getByText(text).waitFor();
}

/** Creates the deleted popup again, with the text of the user. */
async function createAgain(opened: ConsolePage): Promise<void> {
  const { page } = opened;
  await page.locator('.save-state').filter({ hasText: 'Needs your decision' }).waitFor();
  await page.getByRole('button', { name: 'Decide' }).click();
  await page.getByRole('button', { name: 'Create it again' }).click();
  await opened.waitUntilSaved();
}

t.test('a text whose popup another user deletes can be created again', { skip }, async (t) => {
  const { opened, popups, popup } = await openPopup(t, 'Before');
  await typeText(opened, 'A long text');
  await opened.mapwright.delete(`${popups}/${popup}`);
  await createAgain(opened);
  const { list } = await opened.mapwright.get(popups);
  t.match(list, [{ title: 'Fountain', content: '<p>A long text</p>' }]);
  t.equal(list.length, 1);
});

t.test('a text whose popup is gone after a reset of the change feed can be created again', { skip }, async (t) => {
  const { opened, popups, popup } = await openPopup(t, 'Before');
  const { page } = opened;
  let reset = (): void => undefined;
  const isReset = new Promise<void>((resolve) => {
    reset = resolve;
  });
  let requests = 0;
  const { headers } = await opened.mapwright.get(popups);
  const version = String(headers.etag).replaceAll('"', '');
  // The feed is silent, until it begins again.
  await page.route('**/events**', async (route) => {
    if (requests++ > 0) return route.continue();
    await isReset;
    const body = `event: reset\nid: ${version}\ndata: ${JSON.stringify({ reason: 'unknown', version })}\n\n`;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Edit text with preview' }).click();
  await frameOf(opened).locator('.preview-map .popup').waitFor();
  await typeText(opened, 'A long text');
  await opened.mapwright.delete(`${popups}/${popup}`);
  reset();
  await createAgain(opened);
  const { list } = await opened.mapwright.get(popups);
  t.match(list, [{ title: 'Fountain', content: '<p>A long text</p>' }]);
  t.equal(list.length, 1);
});

t.test('a text whose object another user deletes can be created again', { skip }, async (t) => {
  const { opened, popups, popup } = await openPopup(t, 'Before');
  await typeText(opened, 'A long text');
  const [, , project] = popups.split('/') as [string, string, string];
  const [floor] = (await opened.mapwright.get(`/projects/${project}/artboards`)).list;
  const { attachedTo } = (await opened.mapwright.get(`${popups}/${popup}`)).shown;
  await opened.mapwright.delete(`/projects/${project}/artboards/${floor?.id}/objects/${attachedTo}`);
  await opened.row('Spot').waitFor({ state: 'detached' });
  await opened.page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  t.match((await opened.mapwright.get(popups)).list, [{ title: 'Fountain', content: '<p>A long text</p>' }]);
  t.strictSame(opened.complaints, []);
});

/** Before the page listens: while `isHeld`, messages wait until `release` is called. */
const holdMessages = `
  const held = [];
  globalThis.isHeld = false;
  addEventListener('message', (event) => {
    if (!isHeld) return;
    event.stopImmediatePropagation();
    held.push(event);
  });
  globalThis.release = () => {
    isHeld = false;
    for (const { data, origin, source } of held) dispatchEvent(new MessageEvent('message', { data, origin, source }));
  };
`;

t.test('what is typed last is saved, although the console gets it after the dialog is closed', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Bread', {
    prepare: async (page) => void (await page.addInitScript(holdMessages)),
  });
  const { page } = opened;
  // As while the frame is busy with a long text.
  await page.evaluate('isHeld = true');
  await page.keyboard.type('!');
  await frameOf(opened).locator('.preview-map').getByText('Bread!').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.evaluate('release()');
  await page.locator('.panel').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await content(), '<p>Bread!</p>');
  t.strictSame(opened.complaints, []);
});

t.test('a text that is composed when the dialog is closed is saved', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Bread');
  const { page } = opened;
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('.panel').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await content(), '<p>Breadに</p>');
});

t.test('a text whose changes are all undone is as it was, without a step', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Bread');
  const { page } = opened;
  const frame = frameOf(opened);
  await page.keyboard.type('!');
  await frame.locator('.preview-map').getByText('Bread!').waitFor();
  t.equal(await opened.asksBeforeClosing(), true, 'it is not saved yet');
  await page.keyboard.press('Control+Z');
  await frame.locator('.preview-map').getByText('Bread', { exact: true }).waitFor();
  await opened.waitUntilNothingIsUnsaved();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('.panel').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await content(), 'Bread');
  t.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
  t.strictSame(opened.complaints, []);
});

for (const [what, content] of [
  ['of 10,000 levels', `${'<div>'.repeat(10_000)}Bread${'</div>'.repeat(10_000)}`],
  ['of 30,000 paragraphs', '<p>All of this is bread. </p>'.repeat(30_000)],
] as const)
  t.test(`a text ${what} is edited as source, which says why`, { skip }, async (t) => {
    const { opened, content: stored } = await openPopup(t, content);
    const frame = frameOf(opened);
    const source = frame.getByRole('textbox', { name: 'HTML source' });
    const says = () => frame.getByText('The text is too long or too complex for the text view.').waitFor();
    await says();
    await source.press('Control+End');
    await opened.page.keyboard.type('!');
    await frame.getByRole('button', { name: 'HTML source' }).click();
    await says();
    t.equal(await source.isVisible(), true, 'also after a change to the text view');
    await opened.page.getByRole('button', { name: 'Done' }).click();
    await opened.waitUntilSaved();
    t.equal(await stored(), `${content}!`);
    t.strictSame(opened.complaints, []);
  });

t.test('a text that the server refuses for its length is announced, and kept', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'Before', { server: { limits: { bodyBytesMax: 2 * 1024 * 1024 } } });
  const { page } = opened;
  const frame = frameOf(opened);
  const length = 4_100_000;
  // A browser lays out this much text slowly.
  const patient = { timeout: 240_000 };
  await frame.getByRole('button', { name: 'HTML source' }).click();
  // Lines, which a browser lays out faster than one word.
  await frame.locator('html').evaluate(`(() => {
    const area = document.querySelector('textarea');
    area.value = ('x'.repeat(999) + '\\n').repeat(${length / 1000});
    area.dispatchEvent(new Event('input'));
  })()`);
  await frame.locator('.note[role=alert]', { hasText: '4,100,000 characters' }).waitFor(patient);
  await page.getByRole('button', { name: 'Done' }).click(patient);
  await page.locator('.save-state:not(.saved)').waitFor(patient);
  t.equal(await opened.asksBeforeClosing(), true, 'it is not given up');
  t.equal(await content(), 'Before');
  await page.getByRole('button', { name: 'Edit text with preview' }).click(patient);
  const area = frame.locator('textarea');
  await area.waitFor(patient);
  t.equal(await frame.locator('html').evaluate("document.querySelector('textarea').value.length"), length, 'it is still there');
  await area.fill('Short');
  await frame.locator('.preview-map').getByText('Short').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  t.equal(await content(), 'Short');
});

t.test('text, its links and its pictures are copied to the popup of another project in another tab', { skip }, async (t) => {
  const rich =
    '<h3>Hours</h3><ul><li>Monday: <strong>7 to 22</strong></li></ul>' +
    '<p><a href="https://example.org/park">Park</a> <img src="https://example.org/a.png" alt="Tree"></p>' +
    '<table><tbody><tr><th>Month</th></tr><tr><td>May</td></tr></tbody></table>';
  const from = await openPopup(t, rich);
  const to = await openPopup(t, '', { mapwright: from.opened.mapwright });
  t.not(from.popups, to.popups);
  await from.opened.page.bringToFront();
  await frameOf(from.opened).getByRole('textbox', { name: 'Text of the popup' }).press('Control+A');
  await from.opened.page.keyboard.press('Control+C');
  await to.opened.page.bringToFront();
  await frameOf(to.opened).getByRole('textbox', { name: 'Text of the popup' }).press('Control+V');
  await frameOf(to.opened).locator('.preview-map td').waitFor();
  await to.opened.page.getByRole('button', { name: 'Done' }).click();
  await to.opened.waitUntilSaved();
  t.equal(await to.content(), rich);
});
