// tier: all
/**
 * The small files as people have them, each dropped on the list of projects and imported by the command: both make the same objects, popups
 * and settings, or both refuse it.
 */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { cases } from '../convert/case-list.ts';
import { casesFolder } from '../convert/case-summary.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { runHere } from '../support/command-here.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';
import { choose, dropOnList, madeIn, ready, suggested } from './import-support.ts';

t.setTimeout(600_000);

/** Metres, which the console draws to scale on a plain artboard, and says so. The command makes a map, which has degrees. */
const onlyDropped = ['gj-crs-none-utm.geojson'];

/** Latitudes and longitudes that are only degrees when they are exchanged. */
const swapped = ['csv-swapped-us.csv', 'gj-swapped-us.geojson'];

interface Way {
  readonly file: string;
  readonly encoding?: string | undefined;
  readonly swapAxes?: boolean;
}

const ways: readonly Way[] = [
  ...cases.map(({ file, options }) => ({ file, encoding: options?.encoding })),
  ...swapped.map((file) => ({ file, swapAxes: true })),
];

const encodings: Readonly<Record<string, string>> = { 'windows-1251': 'Cyrillic (Windows-1251)' };

/** True when the file was read, or refused on the list of projects. */
const isSettled = `(() => {
  const foot = document.querySelector('.import-foot');
  if (foot === null) return document.querySelector('.cards-screen .problem') !== null;
  return foot.querySelector('progress') === null;
})()`;

interface Outcome {
  /** The identifier of the project; `undefined` if the button cannot be pressed, or the file was refused at once. */
  readonly id: string | undefined;
  readonly notes: string;
}

async function dropped(opened: ConsolePage, { file, encoding, swapAxes }: Way): Promise<Outcome> {
  const { page, recorded } = opened;
  await dropOnList(opened, file, fs.readFileSync(path.join(casesFolder, file)));
  await recorded.until(isSettled);
  const panel = page.locator('.import-panel');
  if ((await panel.count()) === 0) return { id: undefined, notes: '' };
  if (encoding !== undefined) await choose(opened, 'Encoding', encodings[encoding] ?? encoding);
  if (swapAxes) await panel.getByRole('button', { name: 'Swap latitude and longitude' }).click();
  if (encoding !== undefined || swapAxes) await ready(opened);
  const notes = (await panel.locator('.import-notes').allTextContents()).join();
  const button = page.locator('.import-foot button.primary');
  const id = (await button.isDisabled()) ? undefined : String(await recorded.value('location.hash.split("/")[2]'));
  await (id === undefined ? panel.getByRole('button', { name: 'Cancel' }).first() : button).click();
  await panel.waitFor({ state: 'detached' });
  if (id !== undefined) await opened.waitUntilSaved();
  return { id, notes };
}

/** Imports a file by the command. The identifier of its project; `undefined` if it is refused. */
async function commanded(t: Test, mapwright: Mapwright, { file, encoding, swapAxes }: Way): Promise<string | undefined> {
  const options = [...(encoding === undefined ? [] : ['--encoding', encoding]), ...(swapAxes ? ['--swap-axes'] : [])];
  const env = { MAPWRIGHT_URL: `http://127.0.0.1:${mapwright.port}`, MAPWRIGHT_KEY: mapwright.key };
  const { code, stdout, stderr } = await runHere(['import', file, ...suggested(file), ...options, '--json'], env, casesFolder);
  if (code === 1) return undefined;
  t.strictSame([code, stderr], [0, ''], file);
  return (JSON.parse(stdout) as { readonly project_id: string }).project_id;
}

/** The project that an import has made, with its popups by the object that has them. */
function contentOf(project: Shown): unknown {
  const { id: _, ...made } = madeIn(project);
  const [{ objects, image_url }] = project['artboards'] as [Shown];
  const ids = (objects as Shown[]).map(({ id }) => id);
  const popups = (project['popups'] as Shown[]).map(({ id: _, attachedTo, ...popup }) => ({
    ...popup,
    object: ids.indexOf(String(attachedTo)),
  }));
  return { ...made, popups, hasBackground: image_url !== '' };
}

t.test('each file becomes the same by a drop and by the command', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright, width: 1120, height: 640 });
  const made: { way: Way; drop: Outcome; command: string | undefined }[] = [];
  for (const way of ways) made.push({ way, drop: await dropped(opened, way), command: await commanded(t, mapwright, way) });
  const projects = new Map((await mapwright.get('/projects')).list.map((project) => [project.id, project]));
  const contentBy = (id: string | undefined) => (id === undefined ? 'refused' : contentOf(projects.get(id) as Shown));
  for (const { way, drop, command } of made) {
    if (!onlyDropped.includes(way.file)) t.strictSame(contentBy(drop.id), contentBy(command), JSON.stringify(way));
    else {
      t.equal(command, undefined);
      t.match(contentBy(drop.id), { artboard: { type: 'color', objects: [{ name: /./ }] } });
      t.not(drop.notes, '');
    }
  }
  t.ok(made.filter(({ command }) => command !== undefined).length > 60);
  t.strictSame(opened.complaints, []);
});
