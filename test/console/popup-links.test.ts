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

t.test('a link leads to a floor or an object that is chosen by its name', { skip }, async (t) => {
  const { opened, popups, content } = await openPopup(t, 'Bread and butter');
  const frame = frameOf(opened);
  const [, project] = popups.split('/').filter((part) => part !== '') as [string, string];
  const [floor] = (await opened.mapwright.get(`/projects/${project}/artboards`)).list;
  const objects = (await opened.mapwright.get(`/projects/${project}/artboards/${floor?.id}/objects`)).list;
  const room = objects.find(({ name }) => name === 'Room');
  const { keyboard } = opened.page;
  const text = frame.getByRole('textbox', { name: 'Text of the popup' });
  const tool = frame.getByRole('button', { name: 'Link', exact: true });
  await text.press('Control+A');
  await tool.click();
  await frame.getByRole('option').first().waitFor();
  t.strictSame(await frame.getByRole('option').allTextContents(), ['FloorFloor', 'SpotObject', 'RoomObject']);
  await keyboard.type('roo');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await frame.locator(`.preview-map a[href$="#${room?.id}"]`).waitFor();
  t.equal(await frame.locator('#row-value').inputValue(), 'Room', 'the name instead of the address');
  await tool.click();
  await frame.locator('input:focus').fill('');
  await frame.getByRole('option', { name: 'Floor' }).click();
  await frame.locator(`.preview-map a[href$="#${floor?.id}"]`).waitFor();
  await tool.click();
  await frame.locator('input:focus').fill('www.example.com/bread');
  await frame.getByRole('button', { name: 'Use https://www.example.com/bread' }).click();
  await frame.locator('.preview-map a[href="https://www.example.com/bread"]').waitFor();
  await opened.page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  t.equal(await content(), '<p><a href="https://www.example.com/bread">Bread and butter</a></p>');
  t.strictSame(opened.complaints, []);
});

t.test('Enter takes a name in any case or the first match, and a text that is neither is refused', { skip }, async (t) => {
  const { opened, popups, content } = await openPopup(t, 'Bread');
  const frame = frameOf(opened);
  const [, project] = popups.split('/').filter((part) => part !== '') as [string, string];
  const [floor] = (await opened.mapwright.get(`/projects/${project}/artboards`)).list;
  const objects = (await opened.mapwright.get(`/projects/${project}/artboards/${floor?.id}/objects`)).list;
  const idOf = (wanted: string) => objects.find(({ name }) => name === wanted)?.id;
  const { keyboard } = opened.page;
  const tool = frame.getByRole('button', { name: 'Link', exact: true });
  await frame.getByRole('textbox', { name: 'Text of the popup' }).press('Control+A');
  await tool.click();
  await frame.locator('input:focus').waitFor();
  await keyboard.type('room');
  await keyboard.press('Enter');
  await frame.locator(`.preview-map a[href$="#${idOf('Room')}"]`).waitFor();
  await tool.click();
  await frame.locator('input:focus').fill('sp');
  await keyboard.press('Enter');
  await frame.locator(`.preview-map a[href$="#${idOf('Spot')}"]`).waitFor();
  await tool.click();
  await frame.locator('input:focus').fill('xyz');
  await keyboard.press('Enter');
  await frame.getByText('“xyz” is neither an address nor a floor or object of this map.').waitFor();
  await opened.page.getByRole('button', { name: 'Done' }).click();
  await opened.waitUntilSaved();
  t.equal(await content(), `<p><a href="#${idOf('Spot')}">Bread</a></p>`);
  t.strictSame(opened.complaints, []);
});
