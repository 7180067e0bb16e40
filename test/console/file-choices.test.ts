// tier: normal
/** Files of which the console asks more than columns, or that bring pictures: sheets, encodings, archives, pictures without shapes. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { xlsxFiles, zipOf } from '../convert/archives.ts';
import { casesFolder } from '../convert/case-summary.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';
import { choose, dropOnList, ready, write } from './import-support.ts';

t.setTimeout(600_000);

const button = ({ page }: ConsolePage) => page.locator('.import-foot button.primary');
const problem = ({ page }: ConsolePage) => page.locator('.import-panel').getByRole('alert');
/** Opens the first rows, which stay open. */
const openRows = ({ page }: ConsolePage) => page.getByText(/^The first \d+ rows|^The first row/).click();
const cell = ({ page }: ConsolePage, text: string) => page.getByRole('cell', { name: text, exact: true }).waitFor();

/** The newest project. */
const newest = async (mapwright: Mapwright): Promise<Shown> => (await mapwright.get('/projects')).list.at(-1) as unknown as Shown;
const artboardOf = (project: Shown): Shown & { readonly objects: readonly Shown[] } =>
  (project['artboards'] as [Shown & { readonly objects: readonly Shown[] }])[0];
const namesIn = (project: Shown): unknown[] => artboardOf(project).objects.map(({ name }) => name);

t.test('the sheet of a spreadsheet can be chosen, also after one without places, 390 px wide', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright, width: 390, height: 800 });
  const { page } = opened;
  const sheets = {
    'Read me': [['About this file'], ['Shops and offices of 2026']],
    Shops: [
      ['Name', 'Latitude', 'Longitude'],
      ['Bakery', 48.2, 16.36],
      ['Florist', 48.21, 16.37],
    ],
    Offices: [
      ['Office', 'lat', 'lng'],
      ['Head office', 48.19, 16.38],
    ],
    Empty: [],
  };
  await dropOnList(opened, 'shops.xlsx', zipOf(xlsxFiles(sheets)));
  await ready(opened);
  await openRows(opened);
  await cell(opened, 'Florist');
  t.equal(await opened.fits(), true);
  t.strictSame(await opened.violations(), []);
  await page.getByRole('combobox', { name: 'Sheet' }).focus();
  await choose(opened, 'Sheet', 'Read me');
  await problem(opened).filter({ hasText: 'About this file' }).waitFor();
  t.equal(await button(opened).isDisabled(), true);
  t.equal(await page.evaluate('document.activeElement.tagName'), 'SELECT', 'the focus stays');
  t.equal(await opened.fits(), true);
  t.strictSame(await opened.violations(), []);
  await choose(opened, 'Sheet', 'Empty');
  await problem(opened).filter({ hasText: '"Empty" is empty' }).waitFor();
  t.equal(await button(opened).isDisabled(), true);
  await choose(opened, 'Sheet', 'Offices');
  await ready(opened);
  const latitude = page.getByRole('combobox', { name: 'Latitude', exact: true });
  t.match(await latitude.locator('option:checked').textContent(), 'lat', 'and its columns of places can be others');
  await openRows(opened);
  await cell(opened, 'Head office');
  await write(opened, 'Import 1 object');
  t.strictSame(namesIn(await newest(mapwright)), ['Head office']);
  t.strictSame(opened.complaints, []);
});

t.test('the encoding of a CSV can be chosen, also of one that is refused without it', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright });
  await dropOnList(opened, 'csv-cp1251.csv', fs.readFileSync(path.join(casesFolder, 'csv-cp1251.csv')));
  const encoding = () => choose(opened, 'Encoding', 'Cyrillic (Windows-1251)');
  await encoding();
  await ready(opened);
  await openRows(opened);
  await cell(opened, 'Кремль');
  await write(opened, 'Import 2 objects');
  t.strictSame(namesIn(await newest(mapwright)), ['Кремль', 'Парк']);
  // Whole degrees are no columns by value; by name, they are.
  const table = 'название;широта;долгота\nКремль;56;38\nПарк;57;37\n';
  await dropOnList(opened, 'места.csv', cyrillic(table));
  await problem(opened).filter({ hasText: 'No columns for latitude and longitude' }).waitFor();
  t.equal(await button(opened).isDisabled(), true);
  await encoding();
  await openRows(opened);
  await cell(opened, 'Парк');
  t.equal(await problem(opened).count(), 0);
  await write(opened, 'Import 2 objects');
  t.strictSame(namesIn(await newest(mapwright)), ['Кремль', 'Парк']);
  t.strictSame(opened.complaints, []);
});

/** A text in Windows-1251, where Cyrillic letters follow each other as in Unicode. */
const cyrillic = (text: string): Uint8Array =>
  Uint8Array.from(text, (each) => (each < '\x80' ? each.charCodeAt(0) : each.charCodeAt(0) - 0x410 + 0xc0));

/** A red square of four pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGO4o6YGRAwQCgAjRgSh7v9IEwAAAABJRU5ErkJggg==',
  'base64',
);

t.test('pictures of a KMZ are uploaded, and the popups show them', { skip }, async (t) => {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright });
  const placemark =
    '<Placemark><name>Gate</name><description><![CDATA[<img src="images/gate.png" alt="The gate">]]></description><Point><coordinates>16.36,48.2</coordinates></Point></Placemark>';
  const kml = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemark}</Document></kml>`;
  await dropOnList(opened, 'gate.kmz', zipOf({ 'doc.kml': kml, 'images/gate.png': png }));
  await write(opened, 'Import 1 object');
  const { id } = await newest(mapwright);
  const [file] = (await mapwright.get(`/projects/${id}/files`)).list as [Shown];
  t.match(file, { name: 'gate.png', type: 'image/png', width: 2, height: 2 });
  const [popup] = (await mapwright.get(`/projects/${id}/popups`)).list as [Shown];
  t.match(file['url'], /^\/f\//);
  t.match(popup['content'], `src="${file['url']}"`);
  const bytes = Buffer.from(await (await fetch(`http://127.0.0.1:${mapwright.port}${file['url']}`)).arrayBuffer());
  t.ok(bytes.equals(png), 'as it is in the archive');
  await opened.page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.strictSame(namesIn(await newest(mapwright)), []);
  t.strictSame((await mapwright.get(`/projects/${id}/popups`)).list, []);
  t.strictSame(opened.complaints, []);
});

t.test(
  'a picture without shapes becomes a background, and a KML that only links says why it makes nothing',
  { skip },
  async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const opened = await ConsolePage.open(t, { mapwright });
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><image width="400" height="300" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
    await dropOnList(opened, 'scan.svg', picture);
    await ready(opened);
    t.strictSame(await opened.violations(), []);
    await write(opened, 'Import the picture');
    await opened.page.getByText('Imported: the picture. One undo takes it back.').waitFor();
    t.match(artboardOf(await newest(mapwright)), {
      type: 'image',
      width: 400,
      height: 300,
      image_url: /^data:image\//,
      objects: [],
    });
    await dropOnList(opened, 'link.kml', fs.readFileSync(path.join(casesFolder, 'kml-networklink-only.kml')));
    await opened.page
      .locator('.import-notes')
      .getByText(/NetworkLink.*are not followed/)
      .waitFor();
    t.equal(await button(opened).isDisabled(), true);
    t.strictSame(await opened.violations(), []);
    t.strictSame(opened.complaints, []);
  },
);
