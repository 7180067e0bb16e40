// tier: all
/**
 * The files of `data/examples/files`, each dropped on the list of projects and imported by the command: both make the same objects.
 */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { runAlone } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';
import { ConsolePage } from './console-page.ts';

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

/** A value whose numbers are the same in Node and in the browser, which compute logarithms with another last digit. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Number(each.toPrecision(12)) : each)));

/** The newest project, without what differs from one import to another. */
async function newest(
  mapwright: Mapwright,
): Promise<{ readonly id: string; readonly artboard: unknown; readonly settings: unknown }> {
  const project = (await mapwright.get('/projects')).list.at(-1) as unknown as Shown;
  const [{ type, width, height, osm_lat, osm_lng, osm_zoom, objects }] = project['artboards'] as [Shown];
  const bodies = (objects as Shown[]).map(({ id: _, ...body }) => body);
  const { imports, ...settings } = project['settings'] as { readonly imports?: object };
  const mapping = Object.values(imports ?? {});
  const artboard = { type, width, height, osm_lat, osm_lng, osm_zoom, objects: bodies };
  return { id: project.id, artboard: rounded(artboard), settings: { ...settings, mapping } };
}

async function drop(opened: ConsolePage, { file, color, steps, objects }: Sample): Promise<Buffer> {
  const { page, recorded } = opened;
  await recorded.value("location.hash = '#/'");
  const bytes = fs.readFileSync(path.join(root, folder, file)).toString('base64');
  await page.locator('.cards-screen').waitFor();
  await recorded.value(`(() => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(${JSON.stringify(bytes)}), (each) => each.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], ${JSON.stringify(file)}));
    document.querySelector('.cards-screen').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  const button = page.getByRole('button', { name: `Import ${objects} objects`, exact: true });
  await button.waitFor();
  if (color !== undefined) await page.locator('.import-mapping summary').click();
  const choice = (label: string) => page.getByRole('combobox', { name: label, exact: true });
  if (color !== undefined) await choice('Colour by').selectOption({ label: color });
  if (steps !== undefined) await choice('Classes').selectOption(steps);
  // The picture shows the choice.
  if (color !== undefined) await recorded.value("document.querySelector('.import-mapping summary').scrollIntoView()");
  await page.locator('.import-foot button.primary:not([disabled])').waitFor();
  await opened.waitUntilStill('');
  const picture = await page.screenshot();
  await button.click();
  await page.locator('.import-panel').waitFor({ state: 'detached' });
  return picture;
}

/** Imports a file as a person does in a shell. Returns the command and the first line of its report. */
async function command(t: Test, mapwright: Mapwright, { file, color, steps }: Sample): Promise<string> {
  const args = [
    'import',
    path.join(folder, file),
    // The console suggests these.
    ...(path.extname(file) === '.svg' ? [] : ['--category', 'auto', '--fields', 'all']),
    ...(color === undefined ? [] : ['--map', [`color=${color}`, ...(steps === undefined ? [] : [steps])].join(':')]),
  ];
  const env = { MAPWRIGHT_URL: `http://127.0.0.1:${mapwright.port}`, MAPWRIGHT_KEY: mapwright.key };
  const { code, stdout, stderr } = await runAlone(args, { env, cwd: root });
  t.strictSame([code, stderr], [0, ''], file);
  return `$ npx mapwright ${args.join(' ')}\n${stdout.split('\n', 1)[0]}`;
}

/** The map in the editor. */
async function mapOf(opened: ConsolePage, project: string): Promise<Buffer> {
  await opened.edit(project);
  await opened.page.locator('.list-row').first().waitFor();
  await opened.waitUntilStill('');
  const tools = "[...document.querySelectorAll('.map-pane [role=toolbar], .map-pane .map-tools, .map-pane .notices')]";
  await opened.recorded.value(`${tools}.forEach(({ style }) => (style.visibility = 'hidden'))`);
  return opened.page.locator('.map-pane').screenshot();
}

/** Left what the drop shows; right the command and what it has made. */
async function compose(t: Test, dropped: Buffer, printed: string, map: Buffer): Promise<Buffer> {
  const { page } = await Page.open(t, 'about:blank', { width: 1200, height: 420 });
  const address = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`;
  const escaped = printed.replace(/[&<]/g, (each) => (each === '&' ? '&amp;' : '&lt;'));
  await page.setContent(`<style>
      body { margin: 0; display: grid; grid-template-columns: 730px 1fr; gap: 10px; background: #fff; height: 420px; }
      img { display: block; width: 100%; height: 100%; object-fit: cover; }
      section { display: grid; grid-template-rows: 104px 1fr; gap: 8px; min-height: 0; height: 420px; }
      pre { margin: 0; padding: 8px; background: #16202a; color: #e6edf3; font: 11px/17px monospace; white-space: pre-wrap; overflow: hidden; }
      div { min-height: 0; overflow: hidden; }
    </style><img src="${address(dropped)}"><section><pre>${escaped}</pre><div><img src="${address(map)}"></div></section>`);
  await page.waitForLoadState();
  return page.screenshot();
}

t.test('each example file becomes the same objects by a drop and by the command', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright, width: 1120, height: 640 });
  for (const sample of samples) {
    const dropped = await drop(opened, sample);
    await opened.waitUntilSaved();
    const byDrop = await newest(mapwright);
    const printed = await command(t, mapwright, sample);
    const byCommand = await newest(mapwright);
    t.not(byCommand.id, byDrop.id);
    t.strictSame(byCommand.artboard, byDrop.artboard, sample.file);
    t.strictSame(byCommand.settings, byDrop.settings, sample.file);
    await keepPicture(`import-${path.extname(sample.file).slice(1)}`, async () =>
      compose(t, dropped, printed, await mapOf(opened, byCommand.id)),
    );
  }
  t.strictSame(opened.complaints, []);
});
