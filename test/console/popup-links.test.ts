// tier: all
/** Links in the popup editor. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { frameOf, openPopup } from './popup-support.ts';

t.setTimeout(600_000);

for (const hasTouch of [false, true])
  t.test(`one ${hasTouch ? 'tap' : 'click'} on the tool asks for the address of a link`, { skip }, async (t) => {
    const { opened, content } = await openPopup(t, 'Bread', { options: { hasTouch } });
    const frame = frameOf(opened);
    await frame.getByRole('textbox', { name: 'Text of the popup' }).press('Control+A');
    const tool = frame.getByRole('button', { name: 'Link', exact: true });
    await (hasTouch ? tool.tap() : tool.click());
    await frame.locator('input:focus').waitFor();
    await opened.page.keyboard.type('https://example.org/bread');
    const apply = frame.getByRole('button', { name: 'Apply' });
    await (hasTouch ? apply.tap() : apply.click());
    await frame.locator('.preview-map a').waitFor();
    await opened.page.getByRole('button', { name: 'Done' }).click();
    await opened.waitUntilSaved();
    t.equal(await content(), '<p><a href="https://example.org/bread">Bread</a></p>');
    t.strictSame(opened.complaints, []);
  });
