// tier: normal
/** QR codes of a published map and of its places: what is on the screen and in the file is decoded again. */
import fs from 'node:fs';
import jsqr from 'jsqr';
import t from 'tap';
import { fileNameOf } from '../../src/lib/draw/saved-name.ts';
import { placeAddress, placesIn } from '../../src/web/console/publish/qr/code-places.ts';
import { qrPath } from '../../src/web/console/publish/qr/qr-path.ts';
import { readMap } from '../../src/web/viewer/drawing/map-document.ts';
import { addressIn } from '../../src/web/viewer/element/navigation/map-address.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

/** Pixels of a module. */
const scale = 4;

/** The text of a code. @param size modules in a row @param path as {@link qrPath} writes it */
function textIn(size: number, path: string): string | undefined {
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++)
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
  return jsqr.default(pixels, side, side, { inversionAttempts: 'dontInvert' })?.data;
}

/** The text of the code in an SVG. */
function textOfSvg(svg: string): string | undefined {
  const [, size] = /viewBox="0 0 (\d+) \1"/.exec(svg) ?? [];
  const [path, ...others] = [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, each]) => each as string);
  return path === undefined || others.length > 0 ? undefined : textIn(Number(size), path);
}

t.test('a code has the address, with a white edge of four modules', async (t) => {
  for (const address of [
    'http://a/p/x',
    'https://maps.example/p/lindenhof#place=B%C3%A4ckerei%20am%20Markt',
    `https://maps.example/some/base/p/lindenhof#place=${'%E5%AF%BF'.repeat(100)}`,
  ]) {
    const { size, path } = qrPath(address);
    t.equal(textIn(size, path), address);
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(
      ([, ...numbers]) => numbers.map(Number) as [number, number, number],
    );
    const ends = runs.flatMap(([x, y, length]) => [x, y, size - x - length, size - y - 1]);
    t.equal(Math.min(...ends), 4);
  }
});

t.test('the address of a place is the one that the map itself writes, if that is not too long', async (t) => {
  const long = 'A very long name that would need so many modules '.repeat(3).trim();
  const object = (id: string, name: string) => ({ id, name, type: 'spot' });
  const map = readMap({
    artboards: [
      { id: 'ground', name: 'Ground', objects: [object('a', 'Bäckerei & Café, 1/2'), object('b', 'Bank'), object('c', '')] },
      { id: 'upper', name: 'Upper', objects: [object('d', 'Bank'), object('e', 'c'), object('f', long), object('g', '')] },
    ],
    popups: [{ id: 'p', attachedTo: 'c', title: 'Fountain' }],
  });
  const address = (id: string) => placeAddress('https://maps.example/p/x', map, id);
  t.equal(address('a'), 'https://maps.example/p/x#place=B%C3%A4ckerei%20%26%20Caf%C3%A9%2C%201%2F2');
  const opened = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => addressIn(new URL(String(address(id))).hash.slice(1)).place);
  t.strictSame(opened, ['Bäckerei & Café, 1/2', 'b', 'c', 'd', 'e', 'f']);
  t.equal(address('elsewhere'), undefined);
  const names = (...selected: string[]) => placesIn(map, new Set(selected)).map(({ name }) => name);
  t.strictSame(names().slice(0, 3), ['Bäckerei & Café, 1/2', 'Bank (Ground, #3b82f6, no. 1)', 'Fountain']);
  t.equal(names().length, 6, 'without the one that has no name');
  t.equal(names('e')[0], 'c', 'the selected one is first');
  t.equal(names('g').length, 7, 'a selected one needs no name');
  t.equal(fileNameOf('lindenhof', 'Bäckerei & Café, 1/2'), 'lindenhof-backerei-cafe-1-2');
  t.equal(fileNameOf('東京駅', '…'), '東京駅');
  t.equal(fileNameOf('…'), 'map');
});

for (const looks of [{ width: 1400 }, { width: 390, height: 800, dark: true }])
  t.test(`the codes of a map and of a place: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const objects = ['Bäckerei am Markt', 'Bank', 'Bank'].map((name, i) => ({ type: 'spot', name, x: 100 + i * 90, y: 100 }));
    const artboards = [{ name: 'Ground' }, { name: 'Upper', objects }];
    const { id: project } = (await mapwright.post('/projects', { name: 'Mall', artboards })).shown;
    await mapwright.ask('PUT', `/v1/projects/${project}/publication`, { body: { name: 'lindenhof' } });
    const floors = (await mapwright.get(`/projects/${project}/artboards`)).list;
    const [ground, upper] = floors.map(({ id }) => id);
    const kiosk = await mapwright.post(`/projects/${project}/artboards/${ground}/objects`, { type: 'spot', name: 'Kiosk' });
    const banks = (await mapwright.get(`/projects/${project}/artboards/${upper}/objects?name=Bank`)).list.map(({ id }) => id);
    const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
    const { page } = opened;
    const panel = page.getByRole('dialog');
    if (looks.width < 1000) await page.locator('.panes').getByRole('button', { name: 'List' }).click();
    await opened.row('Kiosk').click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByRole('tab', { name: 'Link' }).focus();
    await page.keyboard.press('End');
    const code = panel.getByRole('img', { name: 'QR code of' });
    const options = panel.locator('.combobox').getByRole('option');
    const decoded = async () => textOfSvg(await code.evaluate((svg) => svg.outerHTML));
    const address = `http://127.0.0.1:${mapwright.port}/p/lindenhof`;
    t.equal(await decoded(), address);
    await panel.getByText('Others cannot open this address').waitFor();
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    t.equal(await seenText(opened), address, 'black on white');

    await panel.getByRole('radio', { name: 'The whole map' }).focus();
    await page.keyboard.press('ArrowDown');
    await panel.getByText('“Kiosk” is not in the public map yet.').waitFor();
    t.equal(await code.count(), 0, 'a code that would lead nowhere');
    t.strictSame(await opened.violations(), []);
    await page.keyboard.press('Tab');
    await page.keyboard.type('backerei');
    await panel.getByRole('option', { name: 'Bäckerei am Markt' }).waitFor();
    t.strictSame(await opened.violations(), []);
    await page.keyboard.press('Enter');
    await panel.getByText('If you rename the place, print a new code.').waitFor();
    const bakery = `${address}#place=B%C3%A4ckerei%20am%20Markt`;
    t.equal(await decoded(), bakery);
    t.equal(await seenText(opened), bakery);
    t.equal(await panel.getByRole('textbox', { name: 'Address in the code' }).inputValue(), bakery);
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    const downloading = page.waitForEvent('download');
    await panel.getByRole('button', { name: 'Save as SVG' }).click();
    const download = await downloading;
    t.equal(download.suggestedFilename(), 'lindenhof-backerei-am-markt.svg');
    const file = fs.readFileSync(await download.path(), 'utf8');
    t.match(file, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]* width="(\d+)mm" height="\1mm"/);
    t.equal(textOfSvg(file), bakery);
    const visitor = await Page.open(t, bakery);
    await visitor.until("document.querySelector('mapwright-map')?.shownArtboard?.name === 'Upper'");

    await panel.getByRole('combobox', { name: 'Place' }).click();
    t.equal(await options.count(), 3);
    await page.keyboard.type('nothing like it');
    await panel.getByText('The public map has no such place.').waitFor();
    await panel.getByRole('combobox', { name: 'Place' }).fill('bank');
    await options.last().click();
    await panel.getByText('it stays valid if you rename').waitFor();
    t.equal(await decoded(), `${address}#place=${banks[1]}`, 'another one has the name');

    await panel.getByRole('button', { name: 'Publish the changes' }).click();
    await panel.getByText('Version 2').waitFor();
    await panel.getByRole('combobox', { name: 'Place' }).fill('kiosk');
    await panel.getByRole('option', { name: 'Kiosk' }).click();
    await page.getByRole('img', { name: 'QR code of Kiosk' }).waitFor();
    t.equal(await decoded(), `${address}#place=Kiosk`, kiosk.text);
    t.strictSame(opened.complaints, []);
  });

t.test('the selected object is chosen at first', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const objects = ['Bakery', 'Bank'].map((name, i) => ({ type: 'spot', name, x: 100 + i * 90, y: 100 }));
  const { id: project } = (await mapwright.post('/projects', { name: 'Mall', artboards: [{ name: 'Floor', objects }] })).shown;
  await mapwright.ask('PUT', `/v1/projects/${project}/publication`);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const panel = opened.page.getByRole('dialog');
  await opened.row('Bank').click();
  await opened.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByRole('tab', { name: 'QR code' }).click();
  await panel.getByRole('img', { name: 'QR code of Mall' }).waitFor();
  await panel.getByText('One place').click();
  await panel.getByRole('img', { name: 'QR code of Bank' }).waitFor();
  t.equal(await panel.getByRole('combobox', { name: 'Place' }).inputValue(), 'Bank');
  t.strictSame(opened.complaints, []);
});

/** The text of the code that is on the screen. */
async function seenText({ page }: ConsolePage): Promise<string | undefined> {
  const png = await page.getByRole('img', { name: 'QR code of' }).screenshot();
  const { width, height, pixels } = await page.evaluate<{ width: number; height: number; pixels: number[] }>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return { width, height, pixels: [...context.getImageData(0, 0, width, height).data] };
  })()`);
  return jsqr.default(Uint8ClampedArray.from(pixels), width, height, { inversionAttempts: 'dontInvert' })?.data;
}
