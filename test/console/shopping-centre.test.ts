// tier: all
/**
 * A map maker makes the map of a shopping centre: from two plans to a published map of two floors with ten named, coloured rooms, five spots,
 * three popups with pictures, and links between the floors. Counted are actions: a click, a drag, a key chord, a key that is held, a typed
 * text.
 */
import type { Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { type ConsoleOptions, ConsolePage, pointOf } from './console-page.ts';

t.setTimeout(600_000);

const actionsMax = 90;

type Point = readonly [x: number, y: number];
type Box = readonly [left: number, top: number, right: number, bottom: number];

/** On both floors: three shops at the top, two at the bottom, in pixels of a plan of 800 × 600. */
const rooms: readonly Box[] = [
  [60, 60, 260, 240],
  [300, 60, 500, 240],
  [540, 60, 740, 240],
  [60, 360, 360, 540],
  [440, 360, 740, 540],
];

const floors = [
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

/** A map maker at the console, whose actions are counted. */
class MapMaker {
  readonly opened: ConsolePage;
  readonly mapwright: Mapwright;
  /** What was done, in order. */
  readonly done: string[] = [];
  #pictures: Readonly<Record<string, Buffer>> = {};

  private constructor(mapwright: Mapwright, opened: ConsolePage) {
    this.mapwright = mapwright;
    this.opened = opened;
  }

  static async open(t: Test, looks: ConsoleOptions = {}): Promise<MapMaker> {
    const mapwright = await startForRequests(t, { tiles: 'none', versions: false });
    const maker = new MapMaker(mapwright, await ConsolePage.open(t, { mapwright, ...looks }));
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
    floors.flatMap(({ spots }) => spots.flatMap(({ name, popup }) => (popup === '' ? [] : [[name, name, popup]]))).sort(),
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

const colours = ['#f59e0b', '#0ea5e9'] as const;

t.test('the shopping centre by mouse', { skip }, async (t) => {
  const maker = await MapMaker.open(t);
  const { page, opened } = maker;
  const drag = async ([left, top, right, bottom]: Box) => {
    const [a, b] = [await pointOf(opened, left, top), await pointOf(opened, right, bottom)];
    await maker.act('drag a room', async () => {
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 2 });
      await page.mouse.move(b.x, b.y, { steps: 2 });
      await page.mouse.up();
    });
  };
  const clickMap = async ([x, y]: Point, what: string) => {
    const at = await pointOf(opened, x, y);
    await maker.act(what, () => page.mouse.click(at.x, at.y));
  };
  const fill = async (colour: string) => {
    await maker.act('click Fill', () => opened.field('Fill').click({ clickCount: 3 }));
    await maker.type(colour);
  };
  const choose = async (label: string, option: string) => {
    await maker.act(`open ${label}`, () => opened.field(label).focus());
    await maker.act(`choose ${option}`, () => opened.field(label).selectOption({ label: option }));
  };
  const linkTo = async (floor: string) => {
    await choose('When clicked', 'Show another artboard');
    await choose('Artboard to show', floor);
  };

  await maker.drop('Ground floor', '.cards-screen');
  await maker.floor('Ground floor');
  await maker.click('the title', page.locator('button.title'));
  await opened.recorded.until("document.activeElement?.id === 'field-name'");
  await maker.type('Mall');
  for (const [at, floor] of floors.entries()) {
    if (at === 1) {
      await maker.drop(floor.plan, '.map-pane');
      await maker.floor(floor.plan);
    }
    await maker.click('the rectangle tool', page.getByRole('button', { name: 'Draw a rectangle (R)' }));
    for (const [n, room] of rooms.entries()) {
      await drag(room);
      await maker.objects(n + 1);
      if (n === 0) await fill(colours[at] as string);
      if (n === 3) await fill(colours[1 - at] as string);
    }
    await maker.press('Control+a');
    await page.locator('.inspector h2').filter({ hasText: '5 objects selected' }).waitFor();
    await maker.press('Enter');
    await opened.recorded.until("document.activeElement?.id === 'name-pattern'");
    await maker.type(floor.rooms.join(', '));
    await maker.press('Enter');
    await opened.row(floor.rooms[4]).waitFor();
    await maker.click('the spot tool', page.getByRole('button', { name: 'Add spots (S)' }));
    for (const [n, spot] of floor.spots.entries()) {
      await clickMap(spot.at, 'click a place');
      await maker.objects(6 + n);
      await maker.press('Enter');
      await opened.recorded.until("document.activeElement?.id === 'field-name'");
      await maker.type(spot.name);
      if (spot.popup !== '') {
        await maker.click('Add a popup', page.getByRole('button', { name: 'Add a popup' }));
        await opened.recorded.until("document.activeElement?.id === 'field-content'");
        await maker.type(spot.popup);
        const button = page.locator('.picture-field .file-button').first();
        await maker.choose('photo', () => maker.click('Choose a picture', button));
        await opened.recorded.until("document.querySelector('#field-image')?.value.includes('photo')");
      }
    }
    if (at === 1) await linkTo('Ground floor');
  }
  await maker.click('the ground floor', page.locator('.artboard-row').first());
  await page.locator('#list-name').waitFor();
  await maker.click('Stairs up', opened.row('Stairs up'));
  await linkTo('Upper floor');
  await opened.waitUntilSaved();
  await maker.click('Publish', page.getByRole('button', { name: 'Publish', exact: true }));
  await maker.click('Publish in the panel', page.locator('.panel').getByRole('button', { name: 'Publish', exact: true }));
  await checkPublished(t, maker, 'by mouse');
});
