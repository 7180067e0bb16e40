// tier: all
/** Pictures of files as people have them: each dropped on the list of projects, and the public map of what the command makes of it. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page as PlaywrightPage } from 'playwright-core';
import t, { type Test } from 'tap';
import { casesFolder } from '../convert/case-summary.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { open, recordEvents } from '../viewer/element-page.ts';
import { ConsolePage } from './console-page.ts';
import { dropOnList, importByCommand, newest, pictureOfImport, pictureOfPanel, ready } from './import-support.ts';

t.setTimeout(600_000);

const height = 700;

interface Sample {
  readonly file: string;
  /** True if its first rows are shown. */
  readonly hasRows?: boolean;
  /** The object that a visitor has chosen, and the end of what its popup says. */
  readonly chosen?: readonly [name: string, end: string];
}

const samples: readonly Sample[] = [
  { file: 'kml-mymaps.kml', chosen: ['Harbour café', 'site'] },
  { file: 'csv-dms.csv', hasRows: true },
  { file: 'svg-text-label.svg' },
  { file: 'gj-umap-options.geojson' },
  { file: 'kml-multigeom-holes.kml' },
];

/** Stands for the photograph of a café at another host. */
const photograph = `<svg xmlns="http://www.w3.org/2000/svg" width="224" height="98" viewBox="0 20 320 140"><path fill="#bae6fd" d="M0 0h320v200H0z"/><path fill="#0369a1" d="M0 140h320v60H0z"/><path fill="#fde68a" d="M60 60h130v90H60z"/><path fill="#b91c1c" d="M50 60l75-40 75 40z"/><path fill="#78350f" d="M80 95h30v55H80zM130 90h40v30h-40z"/><path fill="#f8fafc" d="M215 145h80l-15 25h-50zM253 70l35 65h-35z"/></svg>`;

const withPhotograph = async (page: PlaywrightPage): Promise<void> => {
  await page.route('https://example.com/a.jpg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: photograph }));
};

/** The public map of a project. */
async function publicMap(t: Test, mapwright: Mapwright, id: string, chosen: Sample['chosen']): Promise<Buffer> {
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
  const place = chosen === undefined ? '' : `#place=${encodeURIComponent(chosen[0])}`;
  const shown = await open(t, `http://127.0.0.1:${mapwright.port}/p/${slug}${place}`, {
    ...{ width: 460, height: height - 112 },
    prepare: async (page) => {
      await withPhotograph(page);
      await recordEvents(page);
    },
  });
  if (chosen !== undefined) await shown.page.getByText(chosen[1], { exact: true }).scrollIntoViewIfNeeded();
  await shown.page.waitForLoadState('networkidle');
  t.strictSame(shown.complaints, []);
  return shown.page.screenshot();
}

t.test('files as people have them by a drop, and for visitors', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, {
    mapwright,
    width: 1120,
    height: Math.round((height * 1120) / 730),
    prepare: withPhotograph,
  });
  for (const { file, hasRows = false, chosen } of samples) {
    await dropOnList(opened, file, fs.readFileSync(path.join(casesFolder, file)));
    await ready(opened);
    if (hasRows) await opened.page.locator('summary').first().click();
    const dropped = await pictureOfPanel(opened);
    await opened.page.locator('.import-foot button.primary').click();
    await opened.page.locator('.import-panel').waitFor({ state: 'detached' });
    await opened.waitUntilSaved();
    const printed = await importByCommand(t, mapwright, file, [], casesFolder);
    const map = await publicMap(t, mapwright, (await newest(mapwright)).id, chosen);
    await keepPicture(`import-${path.parse(file).name}`, () => pictureOfImport(t, dropped, printed, map, height));
  }
  t.strictSame(opened.complaints, []);
});
