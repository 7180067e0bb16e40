/** The console in a browser, signed in with a one-time code. */
import type { Page as PlaywrightPage } from 'playwright-core';
import type { Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { coveredBy } from '../../src/web/console/map/room-for-tools.ts';
import { violations } from '../support/axe.ts';
import { type Looks, Page } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { invitePerson } from './people-support.ts';

/** What the tests use of `window` as text, because a test is compiled without the types of browsers. */

/** A hint of the browser's, about OpenLayers' search for the object below the pointer. */
const hint = /willReadFrequently/;

const asksBeforeClosing =
  "(() => { const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented; })()";

export interface ConsoleOptions extends Looks {
  /** True: signed in as a viewer, instead of as the owner. */
  readonly readOnly?: boolean;
  /** Projects that the person reaches: as an editor, or a viewer. */
  readonly projects?: readonly string[];
  /** A server that runs already. */
  readonly mapwright?: Mapwright;
  readonly server?: Partial<ServerOptions>;
  /** Opened instead of the list of projects. */
  readonly project?: string;
  /** False: the rest of the form of an object is closed, as it is at first. */
  readonly isAdvanced?: boolean;
}

export class ConsolePage {
  readonly mapwright: Mapwright;
  readonly recorded: Page;

  private constructor(mapwright: Mapwright, recorded: Page) {
    this.mapwright = mapwright;
    this.recorded = recorded;
  }

  static async open(t: Test, options: ConsoleOptions = {}): Promise<ConsolePage> {
    const { readOnly = false, projects = [], server = {}, project, isAdvanced = true, ...looks } = options;
    const mapwright = options.mapwright ?? (await startForRequests(t, { tiles: 'none', ...server }));
    const prepare = async (page: PlaywrightPage): Promise<void> => {
      if (isAdvanced) await page.addInitScript("try { localStorage.setItem('mapwright-advanced', 'true') } catch {}");
      await looks.prepare?.(page);
    };
    const reach = projects.length === 0 ? {} : { projects: [...projects] };
    const isOwner = !readOnly && projects.length === 0;
    const url = isOwner
      ? String((await mapwright.server.consoleAddress('ann')).urls[0])
      : (await invitePerson(mapwright, { name: 'Guest', role: readOnly ? 'viewer' : 'editor', ...reach })).url;
    const opened = new ConsolePage(mapwright, await Page.open(t, url, { ...looks, prepare }));
    await opened.page.locator('.cards-screen, .editor').waitFor();
    if (project !== undefined) await opened.edit(project);
    return opened;
  }

  get page(): PlaywrightPage {
    return this.recorded.page;
  }

  /** What the browser complained of. */
  get complaints(): string[] {
    return this.recorded.complaints.filter((text) => !hint.test(text));
  }

  /** Opens the editor of a project, and waits for its map. A viewer goes there from the map of visitors. */
  async edit(project: string): Promise<void> {
    await this.page.evaluate(`location.hash = '#/p/${project}'`);
    const [map, inside] = [
      this.page.locator('.map canvas, .no-artboard').first(),
      this.page.getByRole('button', { name: 'Look inside' }),
    ];
    await map.or(inside).waitFor();
    if (await inside.isVisible()) await inside.click();
    await map.waitFor();
  }

  /** Opens the menu of the account, and chooses in it. */
  async chooseInAccountMenu(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Account menu' }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  /** Waits until the editor shows that everything is saved, also a move by keys, which is committed a moment later. */
  async waitUntilSaved(): Promise<void> {
    await this.recorded.until(`${asksBeforeClosing} === false && document.querySelector('.save-state.saved') !== null`);
  }

  /** Waits until no change is unsaved, on any screen. */
  async waitUntilNothingIsUnsaved(): Promise<void> {
    await this.recorded.until(`${asksBeforeClosing} === false`);
  }

  /** Whether the page asks the user before it is closed, because a change is not saved. */
  asksBeforeClosing(): Promise<unknown> {
    return this.recorded.value(asksBeforeClosing);
  }

  /** The picture of the map, as the text of an address. */
  picture(): Promise<unknown> {
    return this.recorded.value("document.querySelector('.map canvas').toDataURL()");
  }

  /** Waits until the map differs from a picture and its animation has ended: ten consecutive frames are the same. */
  async waitUntilStill(former: unknown): Promise<void> {
    await this.recorded.until(`document.querySelector('.map canvas').toDataURL() !== ${JSON.stringify(former)}`);
    await this.recorded.value(`new Promise((resolve) => {
      let [before, same] = ['', 0];
      const look = () => {
        const now = document.querySelector('.map canvas').toDataURL();
        same = now === before ? same + 1 : 0;
        before = now;
        if (same === 10) resolve();
        else requestAnimationFrame(look);
      };
      look();
    })`);
  }

  /** A tab above the list on the left. */
  listTab(name: string) {
    const kind = { object: 'Objects', popup: 'Popups', data_source: 'Data', variable: 'Variables', action: 'Actions' }[name];
    return this.page.locator('.list-tabs').getByRole('tab', { name: kind ?? 'Problems' });
  }

  showList(name: string): Promise<void> {
    return this.listTab(name).click();
  }

  /** A row of the list on the left. */
  row(name: string) {
    return this.page.locator('.list-row').filter({ hasText: name });
  }

  /** A field of the form, by its label. */
  field(label: string) {
    return this.page.locator('.resource-form').getByLabel(label, { exact: true });
  }

  /** Types into a field and commits it. */
  async type(label: string, text: string): Promise<void> {
    await this.field(label).fill(text);
    await this.field(label).press('Tab');
  }

  /** Focuses the map and presses keys on it. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.page.locator('.map').focus();
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The violations of axe-core's rules on the screen as it is. */
  violations(): Promise<string[]> {
    return violations(this.recorded);
  }

  /** Whether everything fits the width of the window. */
  fits(): Promise<unknown> {
    return this.recorded.value('document.documentElement.scrollWidth <= innerWidth');
  }
}

export interface Sample {
  readonly project: string;
  readonly artboard: string;
  readonly spot: string;
  readonly poly: string;
}

/** A project with an artboard of 800 × 600, on it a spot in the middle and a polygon. */
export async function sampleProject(mapwright: Mapwright, name = 'Sample'): Promise<Sample> {
  const objects = [
    { type: 'spot', name: 'Spot', x: 400, y: 300, radius: 20, color: '#dc2626' },
    {
      type: 'poly',
      name: 'Room',
      coords: [
        { x: 100, y: 100 },
        { x: 250, y: 100 },
        { x: 250, y: 200 },
        { x: 100, y: 200 },
      ],
      color: '#3b82f6',
    },
  ];
  const made = (await mapwright.post('/projects', { name, artboards: [{ name: 'Floor', objects }] })).shown;
  const [artboard] = made['artboards'] as [Shown & { objects: [Shown, Shown] }];
  const [spot, poly] = artboard.objects;
  return { project: made.id, artboard: artboard.id, spot: spot.id, poly: poly.id };
}

/** Where a point of an artboard is in the window, while all of it is shown. @param size of the artboard */
export async function pointOf(
  { page }: ConsolePage,
  x: number,
  y: number,
  size = { width: 800, height: 600 },
): Promise<{ x: number; y: number }> {
  const box = await page.locator('.map').boundingBox();
  if (box === null) throw new Error('there is no map');
  const tools = await page.locator('.tools').all();
  const boxes = (await Promise.all(tools.map((each) => each.boundingBox()))).filter((each) => each !== null);
  const covered = coveredBy(
    boxes.map(({ x, y, width, height }) => ({
      ...{ left: x - box.x, top: y - box.y },
      ...{ right: x - box.x + width, bottom: y - box.y + height },
    })),
    box,
  );
  // It is fitted beside the tools, with a margin of 12 pixels, of which a small map has less.
  const [top, right, bottom, left] = covered.map((px, at) => Math.min(px + 12, (at % 2 === 0 ? box.height : box.width) / 4)) as [
    number,
    number,
    number,
    number,
  ];
  const [width, height] = [box.width - left - right, box.height - top - bottom];
  const scale = Math.min(width / size.width, height / size.height);
  return {
    x: box.x + left + width / 2 + (x - size.width / 2) * scale,
    y: box.y + top + height / 2 + (y - size.height / 2) * scale,
  };
}

/** Drags from one point of the artboard to another. */
export async function drag(opened: ConsolePage, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const { mouse } = opened.page;
  const [a, b] = [await pointOf(opened, ...from), await pointOf(opened, ...to)];
  await mouse.move(a.x, a.y);
  await mouse.down();
  await mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await mouse.move(b.x, b.y, { steps: 3 });
  await mouse.up();
}

export async function clickAt(opened: ConsolePage, x: number, y: number): Promise<void> {
  const at = await pointOf(opened, x, y);
  await opened.page.mouse.click(at.x, at.y);
}

/** A picture of the console for the documents, without the ring around what was pressed last. @param part selector of what is shown */
export async function keepPictureOf({ page, recorded }: ConsolePage, name: string, part = 'html'): Promise<void> {
  await recorded.value('document.activeElement?.blur()');
  await keepPicture(`console-${name}`, () => page.locator(part).screenshot());
}
