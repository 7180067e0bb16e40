// tier: normal
/** The popup editor: a sandboxed frame that edits HTML as text, and changes nothing but the text of its popup. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { frameOf, openPopup } from './popup-support.ts';

t.setTimeout(600_000);

t.test('text is edited with tools, shown as visitors see it, and written in one step', { skip }, async (t) => {
  const { opened, content } = await openPopup(t, 'First line\nSecond line');
  const { page } = opened;
  const frame = frameOf(opened);
  const text = frame.getByRole('textbox', { name: 'Text of the popup' });
  await text.press('Control+A');
  await frame.getByRole('button', { name: 'Bold' }).click();
  await frame.locator('.preview-map strong').first().waitFor();
  t.equal(await content(), 'First line\nSecond line', 'nothing is written before it is done');
  await page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  t.equal(await content(), '<p><strong>First line<br>Second line</strong></p>');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await opened.waitUntilSaved();
  t.equal(await content(), 'First line\nSecond line', 'one step');
  t.strictSame(opened.complaints, []);
});
