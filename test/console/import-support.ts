/** Imports in the console and by the command, and what they have made. */
import type { Test } from 'tap';
import { Page } from '../support/browser.ts';
import type { Mapwright, Shown } from '../support/mapwright.ts';
import { runAlone } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';
import type { ConsolePage } from './console-page.ts';

const root = projectRoot(import.meta.dirname);

/** Drops a file on a part of the page. */
export async function drop({ recorded }: ConsolePage, onto: string, name: string, content: string | Uint8Array): Promise<void> {
  const base64 = Buffer.from(content).toString('base64');
  await recorded.value(`(() => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob('${base64}'), (each) => each.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    document.querySelector(${JSON.stringify(onto)}).dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
}

/** Drops a file on the list of projects. */
export async function dropOnList(opened: ConsolePage, name: string, content: string | Uint8Array): Promise<void> {
  await opened.recorded.value("location.hash = '#/'");
  await opened.page.locator('.cards-screen').waitFor();
  await drop(opened, '.cards-screen', name, content);
}

/** Waits until the file was converted with what was chosen: the button says what it would write. */
export const ready = ({ page }: ConsolePage) => page.locator('.import-foot button.primary:not([disabled])').waitFor();

/** Opens the choices that few imports need. */
export const openMore = ({ page }: ConsolePage) => page.locator('.import-mapping summary').click();

export const choose = ({ page }: ConsolePage, label: string, option: string) =>
  page.getByRole('combobox', { name: label, exact: true }).selectOption({ label: option });

/** Presses the button, and waits until everything is written. */
export async function write(opened: ConsolePage, button: string): Promise<void> {
  await ready(opened);
  await opened.page.getByRole('button', { name: button, exact: true }).click();
  await opened.page.locator('.import-panel').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
}

/** A value whose numbers are the same in Node and in the browser, which compute logarithms with another last digit. */
export const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Number(each.toPrecision(12)) : each)));

export interface Made {
  readonly id: string;
  /** Without what differs from one import to another. */
  readonly artboard: unknown;
  readonly settings: unknown;
}

/** A new project after an import. */
export function madeIn(project: Shown): Made {
  const [{ type, width, height, osm_lat, osm_lng, osm_zoom, objects }] = project['artboards'] as [Shown];
  const bodies = (objects as Shown[]).map(({ id: _, ...body }) => body);
  const { imports, ...settings } = project['settings'] as { readonly imports?: object };
  const mapping = Object.values(imports ?? {});
  const artboard = { type, width, height, osm_lat, osm_lng, osm_zoom, objects: bodies };
  return { id: project.id, artboard: rounded(artboard), settings: { ...settings, mapping } };
}

/** The newest project. */
export const newest = async (mapwright: Mapwright): Promise<Made> =>
  madeIn((await mapwright.get('/projects')).list.at(-1) as unknown as Shown);

/** Options of the command for what the console suggests. */
export const suggested = (file: string): readonly string[] =>
  file.endsWith('.svg') ? [] : ['--category', 'auto', '--fields', 'all'];

/** Imports a file as a person does in a shell. Returns the command and the first line of its report. @param file path from the folder */
export async function importByCommand(
  t: Test,
  mapwright: Mapwright,
  file: string,
  options: readonly string[] = [],
  cwd = root,
): Promise<string> {
  const args = ['import', file, ...suggested(file), ...options];
  const env = { MAPWRIGHT_URL: `http://127.0.0.1:${mapwright.port}`, MAPWRIGHT_KEY: mapwright.key };
  const { code, stdout, stderr } = await runAlone(args, { env, cwd });
  t.strictSame([code, stderr], [0, ''], file);
  return `$ npx mapwright ${args.join(' ')}\n${stdout.split('\n', 1)[0]}`;
}

/** The page with the panel and the preview. */
export async function pictureOfPanel(opened: ConsolePage): Promise<Buffer> {
  await opened.page.locator('.map canvas').first().waitFor();
  await opened.waitUntilStill('');
  return opened.page.screenshot();
}

/** Left what a drop shows; right the command, and the map that it has made. @param height of the picture in pixels */
export async function pictureOfImport(t: Test, dropped: Buffer, printed: string, map: Buffer, height = 420): Promise<Buffer> {
  const { page } = await Page.open(t, 'about:blank', { width: 1200, height });
  const address = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`;
  const escaped = printed.replace(/[&<]/g, (each) => (each === '&' ? '&amp;' : '&lt;'));
  await page.setContent(`<style>
      body { margin: 0; display: grid; grid-template-columns: 730px 1fr; gap: 10px; background: #fff; height: ${height}px; }
      img { display: block; width: 100%; height: 100%; object-fit: cover; }
      section { display: grid; grid-template-rows: 104px 1fr; gap: 8px; min-height: 0; height: ${height}px; }
      pre { margin: 0; padding: 8px; background: #16202a; color: #e6edf3; font: 11px/17px monospace; white-space: pre-wrap; overflow: hidden; }
      div { min-height: 0; overflow: hidden; }
    </style><img src="${address(dropped)}"><section><pre>${escaped}</pre><div><img src="${address(map)}"></div></section>`);
  await page.waitForLoadState();
  return page.screenshot();
}

/** The map in the editor. */
export async function mapOf(opened: ConsolePage, project: string): Promise<Buffer> {
  await opened.edit(project);
  await opened.page.locator('.list-row').first().waitFor();
  await opened.waitUntilStill('');
  const tools = "[...document.querySelectorAll('.map-pane [role=toolbar], .map-pane .map-tools, .map-pane .notices')]";
  await opened.recorded.value(`${tools}.forEach(({ style }) => (style.visibility = 'hidden'))`);
  return opened.page.locator('.map-pane').screenshot();
}
