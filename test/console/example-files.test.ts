// tier: all
/**
 * The files of `data/examples/files`, each dropped on the list of projects and imported by the command: both make the same objects.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { startForRequests } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { ConsolePage } from './console-page.ts';
import {
  choose,
  dropOnList,
  importByCommand,
  mapOf,
  newest,
  openMore,
  pictureOfImport,
  pictureOfPanel,
  ready,
} from './import-support.ts';

t.setTimeout(600_000);

const root = projectRoot(import.meta.dirname);
const folder = path.join('data', 'examples', 'files');

interface Sample {
  readonly file: string;
  /** The column that colours the objects. */
  readonly color?: string;
  readonly steps?: 'equal';
  readonly objects: number;
}

const samples: readonly Sample[] = [
  { file: 'countries.geojson', color: 'area_km2', steps: 'equal', objects: 284 },
  { file: 'new-england.kml', color: 'admitted', objects: 19 },
  { file: 'danube.gpx', objects: 19 },
  { file: 'floor-plan.svg', objects: 12 },
  { file: 'filialen.csv', color: 'Umsatz', objects: 200 },
];

/** Drops a file on the list of projects, chooses, takes a picture of it, and imports. */
async function importByDrop(opened: ConsolePage, { file, color, steps, objects }: Sample): Promise<Buffer> {
  const { page, recorded } = opened;
  await dropOnList(opened, file, fs.readFileSync(path.join(root, folder, file)));
  const button = page.getByRole('button', { name: `Import ${objects} objects`, exact: true });
  await button.waitFor();
  if (color !== undefined) await openMore(opened);
  if (color !== undefined) await choose(opened, 'Colour by', color);
  if (steps !== undefined) await page.getByRole('combobox', { name: 'Classes', exact: true }).selectOption(steps);
  // The picture shows the choice.
  if (color !== undefined) await recorded.value("document.querySelector('.import-mapping summary').scrollIntoView()");
  await ready(opened);
  const picture = await pictureOfPanel(opened);
  await button.click();
  await page.locator('.import-panel').waitFor({ state: 'detached' });
  return picture;
}

t.test('each example file becomes the same objects by a drop and by the command', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright, width: 1120, height: 640 });
  for (const sample of samples) {
    const dropped = await importByDrop(opened, sample);
    await opened.waitUntilSaved();
    const byDrop = await newest(mapwright);
    const steps = sample.steps === undefined ? '' : `:${sample.steps}`;
    const options = sample.color === undefined ? [] : ['--map', `color=${sample.color}${steps}`];
    const printed = await importByCommand(t, mapwright, path.join(folder, sample.file), options);
    const byCommand = await newest(mapwright);
    t.not(byCommand.id, byDrop.id);
    t.strictSame(byCommand.artboard, byDrop.artboard, sample.file);
    t.strictSame(byCommand.settings, byDrop.settings, sample.file);
    const take = async () => pictureOfImport(t, dropped, printed, await mapOf(opened, byCommand.id));
    await keepPicture(`import-${path.extname(sample.file).slice(1)}`, take);
  }
  t.strictSame(opened.complaints, []);
});
