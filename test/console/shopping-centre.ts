/**
 * A map maker makes the map of a shopping centre: from two plans to a published map of two floors with ten named, coloured rooms, five spots,
 * three popups with pictures, and links between the floors. Counted are actions: a click or tap, a drag, a key chord, a key that is held, a
 * typed text. The steps are the same for all hands: a mouse, keys, fingers.
 */
import type { CDPSession, Locator } from 'playwright-core';
import type { Test } from 'tap';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { type ConsoleOptions, ConsolePage, pointOf } from './console-page.ts';

const actionsMax = 90;

export type Point = readonly [x: number, y: number];
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** On both floors: three shops at the top, two at the bottom, in pixels of a plan of 800 × 600. */
export const rooms: readonly Box[] = [
  [60, 60, 260, 240],
  [300, 60, 500, 240],
  [540, 60, 740, 240],
  [60, 360, 360, 540],
  [440, 360, 740, 540],
];

export const floors = [
  {
    plan: 'Ground floor',
    rooms: ['Bakery', 'Shoes', 'Books', 'Supermarket', 'Pharmacy'],
    spots: [
      { name: 'Information', at: [160, 300], popup: 'We help you from 9 to 20.' },
      { name: 'Entrance', at: [660, 300], popup: 'From Station Road.' },
      { name: 'Stairs up', at: [400, 450], popup: '' },
    ],
  },
  {
    plan: 'Upper floor',
    rooms: ['Toys', 'Music', 'Sports', 'Cinema', 'Café'],
    spots: [
      { name: 'Terrace', at: [160, 300], popup: 'Open in summer.' },
      { name: 'Stairs down', at: [400, 450], popup: '' },
    ],
  },
] as const;

export type Floor = (typeof floors)[number];
export type Spot = Floor['spots'][number];

/** A map maker at the console, whose actions are counted. */
export class MapMaker {
  readonly opened: ConsolePage;
  readonly mapwright: Mapwright;
  /** What was done, in order. */
  readonly done: string[] = [];
  #pictures: Readonly<Record<string, Buffer>> = {};
  #touch: CDPSession | undefined;

  private constructor(mapwright: Mapwright, opened: ConsolePage) {
    this.mapwright = mapwright;
    this.opened = opened;
  }

  static async open(t: Test, looks: ConsoleOptions = {}): Promise<MapMaker> {
    const mapwright = await startForRequests(t, { tiles: 'none', versions: false });
    const maker = new MapMaker(mapwright, await ConsolePage.open(t, { mapwright, ...looks }));
    // Without a listener the browser reports no window for files, and a key press may come before the command that changes this.
    maker.page.on('filechooser', () => undefined);
    const plan = (label: string) => maker.#drawn(800, 600, label);
    maker.#pictures = {
      'Ground floor': await plan('Ground floor'),
      'Upper floor': await plan('Upper floor'),
      photo: await maker.#drawn(320, 200, ''),
    };
    return maker;
  }

  get page() {
    return this.opened.page;
  }

  async #drawn(width: number, height: number, label: string): Promise<Buffer> {
    const lines = label === '' ? [] : rooms;
    const base64 = (await this.page.evaluate(`(() => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: ${width}, height: ${height} });
      const context = canvas.getContext('2d');
      context.fillStyle = '#f1f5f9';
      context.fillRect(0, 0, ${width}, ${height});
      context.strokeStyle = '#64748b';
      context.lineWidth = 4;
      for (const [left, top, right, bottom] of ${JSON.stringify(lines)}) context.strokeRect(left, top, right - left, bottom - top);
      context.fillStyle = '#334155';
      context.font = '28px sans-serif';
      context.fillText(${JSON.stringify(label)}, 20, 40);
      return canvas.toDataURL('image/png').split(',')[1];
    })()`)) as string;
    return Buffer.from(base64, 'base64');
  }

  async act(what: string, action: () => Promise<unknown>): Promise<void> {
    this.done.push(what);
    await action();
  }

  file(name: string) {
    return { name: `${name}.png`, mimeType: 'image/png', buffer: this.#pictures[name] as Buffer };
  }

  async press(key: string): Promise<void> {
    await this.act(`press ${key}`, () => this.page.keyboard.press(key));
  }

  async type(text: string): Promise<void> {
    await this.act(`type ${text}`, () => this.page.keyboard.type(text));
  }

  async click(what: string, locator: Locator): Promise<void> {
    await this.act(`click ${what}`, () => locator.click());
  }

  /** Draws a box with the tool in use. @param by fingers need a page with touch */
  async drag([left, top, right, bottom]: Box, by: 'mouse' | 'finger'): Promise<void> {
    const [a, b] = [await pointOf(this.opened, left, top), await pointOf(this.opened, right, bottom)];
    const between = (share: number): Point => [a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share];
    const { mouse } = this.page;
    if (by === 'mouse') {
      await this.act('drag a room', async () => {
        await mouse.move(a.x, a.y);
        await mouse.down();
        await mouse.move(...between(0.5), { steps: 2 });
        await mouse.move(b.x, b.y, { steps: 2 });
        await mouse.up();
      });
      return;
    }
    this.#touch ??= await this.page.context().newCDPSession(this.page);
    const touch = this.#touch;
    const at = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await this.act('drag a room', async () => {
      await at('touchStart', [a]);
      for (const share of [0.25, 0.5, 0.75, 1]) {
        const [x, y] = between(share);
        await at('touchMove', [{ x, y }]);
      }
      await at('touchEnd', []);
    });
  }

  /** Drops a file onto a part of the page. */
  async drop(name: string, selector: string): Promise<void> {
    const { buffer } = this.file(name);
    const data = await this.page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob('${buffer.toString('base64')}'), (c) => c.charCodeAt(0))], '${name}.png', { type: 'image/png' })); return data; })()`,
    );
    await this.act(`drop ${name}`, () => this.page.dispatchEvent(selector, 'drop', { dataTransfer: data }));
  }

  /** Chooses a file in the window of the system that a button opens. */
  async choose(name: string, open: () => Promise<void>): Promise<void> {
    const waiting = this.page.waitForEvent('filechooser');
    await open();
    const chooser = await waiting;
    await this.act(`choose ${name}`, () => chooser.setFiles(this.file(name)));
  }

  /** Waits until a control has the focus. */
  async focused(id: string): Promise<void> {
    await this.opened.recorded.until(`document.activeElement?.id === '${id}'`);
  }

  /** Waits until the form has the photo. */
  async hasPhoto(): Promise<void> {
    await this.opened.recorded.until("document.querySelector('#field-image')?.value.includes('photo')");
  }

  /** Waits until the list has a number of objects, and everything is saved. */
  async objects(count: number): Promise<void> {
    await this.opened.recorded.until(`document.querySelectorAll('.list-row').length === ${count}`);
    await this.opened.waitUntilSaved();
  }

  /** Waits for the floor with a name on the map. */
  async floor(name: string): Promise<void> {
    await this.page.locator('.artboard-row[aria-current="true"]').filter({ hasText: name }).waitFor({ state: 'attached' });
    await this.page.locator('.map canvas').waitFor({ state: 'attached' });
    await this.opened.waitUntilSaved();
  }
}

/** Checks that the public map has everything. */
async function checkPublished(t: Test, { mapwright, page, opened, done }: MapMaker, how: string): Promise<void> {
  await page.getByText(/^Version 1, published/).waitFor();
  const [project] = (await mapwright.get('/projects')).list as [Shown];
  t.equal(project['name'], 'Mall');
  const { slug } = (await mapwright.get(`/projects/${project.id}/publication`)).shown as unknown as { slug: string };
  const publicOf = async (name: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/${name}`)).json();
  const { map: digest } = (await publicOf('map.json')) as { map: string };
  const map = (await publicOf(digest)) as { artboards: (Shown & { objects: Shown[] })[]; popups: Shown[] };
  t.equal(map.artboards.length, 2);
  for (const [at, floor] of floors.entries()) {
    const artboard = map.artboards[at] as (typeof map.artboards)[0];
    t.match(artboard, { name: floor.plan, type: 'image', width: 800, height: 600 });
    t.match(String(artboard['image_url']), /\.png$/);
    const polygons = artboard.objects.filter(({ type }) => type === 'poly');
    t.strictSame(polygons.map(({ name }) => name).sort(), [...floor.rooms].sort());
    t.equal(new Set(polygons.map(({ color }) => color)).size, 2, 'two colours on each floor');
    const spots = artboard.objects.filter(({ type }) => type === 'spot');
    t.strictSame(spots.map(({ name }) => name).sort(), floor.spots.map(({ name }) => name).sort());
    const stairs = spots.find(({ name }) => String(name).startsWith('Stairs'));
    t.match(stairs, { click_action: 'change-artboard', click_action_artboard_id: map.artboards[1 - at]?.id });
  }
  const nameOf = (id: unknown) => map.artboards.flatMap(({ objects }) => objects).find((each) => each.id === id)?.['name'];
  t.strictSame(
    map.popups.map(({ attachedTo, title, content }) => [nameOf(attachedTo), title, content]).sort(),
    floors.flatMap(({ spots }) => spots.flatMap(({ name, popup }) => (popup === '' ? [] : [[name, '', popup]]))).sort(),
  );
  t.ok(
    map.popups.every(({ image }) => /photo\.png$/.test(String(image))),
    'each popup has its picture',
  );
  t.strictSame(opened.complaints, []);
  t.comment(`${how}: ${done.length} actions`);
  t.ok(done.length <= actionsMax, `${done.length} actions`);
  if (process.env['SHOW_ACTIONS'] === '1') t.comment(done.join('\n'));
}

export const colours = ['#f59e0b', '#0ea5e9'] as const;

/** What a map maker can do: each with other means. */
export interface Hands {
  /** A project from the first plan. */
  start(plan: string): Promise<void>;
  nameProject(name: string): Promise<void>;
  addFloor(plan: string): Promise<void>;
  /** The rooms of the floor on the map, in two colours. @param at the number of the floor, from 0 */
  drawRooms(at: number): Promise<void>;
  /** In the order in which they were drawn. */
  nameRooms(names: readonly string[]): Promise<void>;
  /** Spots with their names and popups. */
  placeSpots(spots: readonly Spot[]): Promise<void>;
  showFloor(plan: string): Promise<void>;
  /** A spot of the floor on the map leads to another floor. */
  link(spot: string, plan: string): Promise<void>;
  publish(): Promise<void>;
}

/** Makes the map, and checks that the public map has everything. */
export async function makeMap(t: Test, maker: MapMaker, hands: Hands, how: string): Promise<void> {
  const { opened } = maker;
  await hands.start(floors[0].plan);
  await maker.floor(floors[0].plan);
  await hands.nameProject('Mall');
  for (const [at, floor] of floors.entries()) {
    if (at === 1) {
      await hands.addFloor(floor.plan);
      await maker.floor(floor.plan);
    }
    await hands.drawRooms(at);
    await maker.objects(5);
    await hands.nameRooms(floor.rooms);
    await opened.row(floor.rooms[4]).waitFor({ state: 'attached' });
    await hands.placeSpots(floor.spots);
  }
  await hands.link('Stairs down', floors[0].plan);
  await opened.waitUntilSaved();
  await hands.showFloor(floors[0].plan);
  await maker.floor(floors[0].plan);
  await hands.link('Stairs up', floors[1].plan);
  await opened.waitUntilSaved();
  await hands.publish();
  await checkPublished(t, maker, how);
}
