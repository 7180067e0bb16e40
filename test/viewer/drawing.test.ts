// tier: normal
/** The drawing module: the pixels of an artboard, the object at a point, and changes in place. */
import t from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { openDrawing, pixelsAt } from './drawing-page.ts';
import { artboard, box, spot } from './samples.ts';

t.setTimeout(300_000);

const [width, height] = [400, 300];
type Members = Record<string, unknown>;
const plan = (objects: readonly Record<string, unknown>[], more: Record<string, unknown> = {}): Record<string, unknown> =>
  artboard('plan', objects, { width, height, ...more });
const show = (page: Page, shown: unknown): Promise<unknown> => page.value(`show(${JSON.stringify(shown)})`);
const nameAt = (page: Page, x: number, y: number): Promise<unknown> => page.value(`drawing.objectAt([${x}, ${y}])?.name ?? null`);

const [white, red, green, blue] = [
  [255, 255, 255, 255],
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
];
const [Red, Green, Blue] = [{ color: '#ff0000' }, { color: '#00ff00' }, { color: '#0000ff' }];

t.test('objects are drawn in order, and the topmost one is found', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  await show(
    page,
    plan([
      spot('low spot', 100, 100, { radius: 60, ...Red }),
      box('low box', 100, 100, 100, 100, Green),
      spot('high spot', 200, 200, { radius: 60, ...Blue }),
      box('high box', 200, 100, 40, 160, Red),
    ]),
  );
  t.strictSame(
    await pixelsAt(page, [
      [70, 100],
      [120, 120],
      [180, 180],
      [210, 200],
      [390, 290],
    ]),
    [red, green, blue, red, white],
  );
  t.equal(await nameAt(page, 70, 100), 'low spot');
  t.equal(await nameAt(page, 120, 120), 'low box');
  t.equal(await nameAt(page, 180, 180), 'high spot');
  t.equal(await nameAt(page, 210, 200), 'high box');
  t.equal(await nameAt(page, 390, 290), null);
  t.strictSame(page.complaints, []);
});

test.all(
  'transparent, erased and blended objects are found under the pointer, and inactive ones are not',
  { skip },
  async (t) => {
    const page = await openDrawing(t, width, height);
    await show(
      page,
      plan([
        box('zone', 0, 0, 100, 100, { opacity: 0 }),
        box('eraser', 100, 0, 100, 100, { blend_mode: 'erase' }),
        box('multiplied', 200, 0, 100, 100, { color: '#ffffff', blend_mode: 'multiply' }),
        box('behind', 0, 100, 100, 100),
        box('inactive', 0, 100, 100, 100, { interactive: false, ...Red }),
        box('outline', 150, 150, 100, 100, { opacity: 0, stroke_width: 20, ...Red }),
      ]),
    );
    t.equal(await nameAt(page, 50, 50), 'zone');
    t.equal(await nameAt(page, 150, 50), 'eraser');
    t.equal(await nameAt(page, 250, 50), 'multiplied');
    t.equal(await nameAt(page, 50, 150), 'behind', 'an inactive object lets clicks through');
    t.equal(await nameAt(page, 145, 200), 'outline');
    t.equal(await nameAt(page, 135, 200), null);
    t.strictSame(
      await pixelsAt(page, [
        [50, 150],
        [150, 50],
      ]),
      [red, [0, 0, 0, 0]],
    );
  },
);

t.test('an object is changed, added, moved and removed without drawing the others again', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const a = box('a', 0, 0, 100, 100, Red);
  const b = box('b', 50, 50, 100, 100, Green);
  await show(page, plan([a, b]));
  const put = (object: unknown, order = 'undefined'): Promise<unknown> =>
    page.value(`drawing.put(viewer.readObject(${JSON.stringify(object)}), ${order})`);
  await put({ ...a, ...Blue });
  t.strictSame(
    await pixelsAt(page, [
      [25, 25],
      [75, 75],
    ]),
    [blue, green],
    'a colour',
  );
  await put(box('a', 200, 0, 100, 100, { ...Red, id: a['id'] }));
  t.strictSame(
    await pixelsAt(page, [
      [25, 25],
      [250, 50],
    ]),
    [white, red],
    'a shape',
  );
  const c = spot('c', 100, 100, { ...Blue, radius: 30 });
  await put(c);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [blue], 'a new object is on top');
  await page.value(`drawing.reorder(${JSON.stringify([c['id'], a['id'], b['id']])})`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [green], 'the order');
  await page.value(`drawing.remove('${c['id']}'); drawing.remove('none')`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [green], 'removed');
  await page.value(`drawing.hover('${b['id']}')`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [[127, 127, 127, 255]], 'the hover style replaces the other');
  await page.value('drawing.hover(undefined)');
  t.strictSame(await pixelsAt(page, [[100, 100]]), [green]);
});

t.test('a geographic artboard has Web Mercator coordinates around its centre', { skip }, async (t) => {
  const page = await openDrawing(t, width, height, "{ tiles: 'none' }");
  await show(
    page,
    plan([spot('centre', width / 2, height / 2, { radius: 5, ...Red })], { type: 'osm', osm_lat: 60, osm_lng: -30, osm_zoom: 4 }),
  );
  t.strictSame(await pixelsAt(page, [[width / 2, height / 2]]), [red]);
  const [x, y] = (await page.value('drawing.toView({ x: 200, y: 150 })')) as [number, number];
  // Longitude and latitude of EPSG:3857, by hand.
  t.ok(Math.abs(x - (-30 / 180) * 20037508.3428) < 1, `${x}`);
  t.ok(Math.abs(y - (Math.log(Math.tan(Math.PI / 4 + Math.PI / 6)) / Math.PI) * 20037508.3428) < 1, `${y}`);
  const [east] = (await page.value('drawing.toView({ x: 201, y: 150 })')) as [number];
  t.ok(Math.abs(east - x - (2 * 20037508.3428) / 256 / 2 ** 4) < 0.01, 'one pixel of zoom level 4');
});

test.all('spots keep their size on a zoomed geographic map and grow on a plan', { skip }, async (t) => {
  const page = await openDrawing(t, width, height, "{ tiles: 'none' }");
  const object = spot('s', 200, 150, { radius: 20, ...Red });
  for (const [type, isRed] of [
    ['osm', false],
    ['color', true],
  ] as const) {
    await show(page, plan([object], { type, osm_zoom: 3 }));
    await page.value(
      'drawing.map.getView().setResolution(drawing.map.getView().getResolution() / 2); drawing.map.getView().setCenter(drawing.toView({ x: 200, y: 150 }))',
    );
    const [near, far] = (await pixelsAt(page, [
      [215, 150],
      [230, 150],
    ])) as [number[], number[]];
    t.strictSame(near, red);
    t.equal(far.join() === red.join(), isRed, type);
  }
});

t.test('invalid objects do not prevent the others from being drawn', { skip }, async (t) => {
  const page = await openDrawing(t, width, height, "{ tiles: 'none' }");
  const corners = (...coords: [number, number][]): Record<string, unknown> => ({ coords: coords.map(([x, y]) => ({ x, y })) });
  const odd = [
    spot('huge', 0, 0, { radius: 1e9, color: '#ffffff', interactive: false }),
    spot('huge blended', 0, 0, {
      radius: 1e9,
      color: '#ffffff',
      blend_mode: 'hard-mix',
      opacity: 0,
      stroke_width: 1e9,
      interactive: false,
    }),
    box('no corner', 0, 0, 0, 0, corners()),
    box('one corner', 0, 0, 0, 0, corners([10, 10])),
    box('two corners', 0, 0, 0, 0, { ...corners([10, 10], [50, 10]), stroke_width: 6, stroke_color: '#ff0000' }),
    box('one point', 0, 0, 0, 0, corners([10, 10], [10, 10], [10, 10])),
    spot('nothing', 5, 5, { radius: 0 }),
    spot('negative', 5, 5, { radius: -5, stroke_width: -5 }),
    spot('far', 1e300, -1e300),
    box('wide', -1e9, 200, 2e9, 20, Green),
    spot('same name', 60, 60, { id: 'twice' }),
    spot('same name again', 350, 60, { id: 'twice', ...Blue }),
    spot('no colour', 250, 60, { color: 'url(x)', opacity: 7 }),
    spot('no mode', 300, 60, { blend_mode: 'dissolve', ...Red }),
  ];
  for (const sizes of [{}, { width: 0, height: 0 }, { width: 1e9, height: 1e9 }, { width: -5, height: 1e-9 }]) {
    for (const type of ['color', 'osm', 'image']) {
      await show(page, plan(odd, { ...sizes, type, osm_lat: 1e9, osm_lng: -1e9, osm_zoom: 1e9 }));
      await page.value(
        "drawing.fit(false); drawing.map.renderSync(); drawing.focus('twice'); drawing.hover('twice'); drawing.reveal('twice')",
      );
    }
  }
  await show(page, plan(odd));
  t.strictSame(
    await pixelsAt(page, [
      [30, 10],
      [100, 210],
      [350, 60],
      [300, 60],
    ]),
    [[255, 0, 0, 255], green, blue, red].map((each, at) => (at === 0 ? red : each)),
  );
  t.strictSame((await pixelsAt(page, [[250, 60]]))[0], [0x3b, 0x82, 0xf6, 255], 'the default colour');
  t.strictSame(page.complaints, []);
});

test.all('an artboard has an image or a colour as its background', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><rect width="4" height="3" fill="#00ff00"/></svg>')}`;
  await show(page, plan([], { type: 'image', image_url: picture }));
  t.strictSame(
    await pixelsAt(page, [
      [5, 5],
      [395, 295],
    ]),
    [green, green],
  );
  await show(page, plan([], { bg_color: 'hsl(240 100% 50%)' }));
  t.strictSame(await pixelsAt(page, [[5, 5]]), [blue], 'another background of the same artboard');
  for (const wrong of ['javascript:alert(1)', 'data:text/html,x', 'ftp://x/y.png', ''])
    await show(page, plan([], { type: 'image', image_url: wrong }));
  t.strictSame(await page.value('problems'), []);
  t.strictSame(page.complaints, []);
});

test.all('a thousand spots of few styles are copied from cached pictures with the same pixels', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const line = { stroke_width: 8, stroke_color: '#000000' };
  const few = [
    spot('red', 50, 50, { ...Red, ...line, id: 'red' }),
    spot('green', 150, 50, { ...Green, ...line, radius: 10, opacity: 0.5 }),
    spot('pin', 250, 50, { ...Blue, pin: true, hover_opacity: 1, hover_color: '#00ff00', id: 'pin' }),
    spot('multiplied', 350, 50, { ...Red, blend_mode: 'multiply' }),
  ];
  const rest = Array.from({ length: 1000 }, (_, at) => spot(`${at}`, at % 400, 200, { radius: 2 }));
  const points = [50, 150, 250, 350].flatMap((x) => [0, 5, 10, 17, 22, 40].map((by) => [x + by, 55] as const));
  await show(page, plan(few));
  const alone = await pixelsAt(page, points);
  await show(page, plan([...few, ...rest]));
  const among = await pixelsAt(page, points);
  const far = alone.filter((pixel, at) => pixel.some((value, channel) => Math.abs(value - (among[at]?.[channel] ?? -99)) > 60));
  t.strictSame(far, [], 'edges may differ by a part of a pixel');
  t.strictSame(among[0], red);
  await page.value("drawing.hover('pin')");
  t.strictSame((await pixelsAt(page, [[262, 55]]))[0], green);
  await page.value('atScale(1.5)');
  t.strictSame(
    await pixelsAt(page, [
      [75, 75],
      [75 + 28, 75],
    ]),
    [red, [0, 0, 0, 255]],
    'outlines grow with their spots',
  );
});

test.all('100,000 objects are drawn, found, marked and moved', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const many = Array.from({ length: 100_000 }, (_, at) =>
    spot(`${at}`, (at % 400) + 0.5, Math.floor(at / 400) + 0.5, { radius: 3, ...Red }),
  );
  await show(page, plan(many));
  await page.value('drawn()');
  t.strictSame(await pixelsAt(page, [[200, 100]]), [red]);
  t.match(await nameAt(page, 200, 100), /^\d+$/);
  await page.value(`drawing.hover('${many[0]?.['id']}'); drawing.focus('${many[5000]?.['id']}')`);
  await page.value(`drawing.put(viewer.readObject(${JSON.stringify({ ...many[0], x: 390, y: 290, radius: 8 })}))`);
  await page.value('drawn()');
  t.equal(await page.value('drawing.isDense'), true);
  t.strictSame(page.complaints, []);
});

t.test('a map moves beyond its artboard, to the limits of the world or of the settings', { skip }, async (t) => {
  const page = await openDrawing(t, width, height, "{ tiles: 'none' }");
  const berlin = plan([], { type: 'osm', osm_lat: 52.5, osm_lng: 13.4, osm_zoom: 12 });
  /** What is in view, in pixels of the artboard, after a move far to one side. */
  const seen = async (settings: unknown, x: number, y: number): Promise<number[]> =>
    (await page.value(`(() => {
      drawing.show(viewer.readArtboard(${JSON.stringify(berlin)}, ${JSON.stringify(settings)}));
      const view = drawing.map.getView();
      view.setCenter(drawing.toView({ x: ${x}, y: ${y} }));
      const [left, bottom, right, top] = view.calculateExtent(drawing.map.getSize());
      const [from, to] = [drawing.toArtboard([left, top]), drawing.toArtboard([right, bottom])];
      return [from.x, from.y, to.x, to.y].map(Math.round);
    })()`)) as number[];
  const world = 256 * 2 ** 12;
  const [left = 0, top = 0, right = 0] = await seen({}, 5000, 4000);
  t.ok(left < 5000 && 5000 < right && top < 4000, 'as far as the user wants');
  const [, north = 0] = await seen({}, 0, -1e9);
  const [, , , south = 0] = await seen({}, 0, 1e9);
  t.ok(Math.abs(south - north - world) <= 2, 'not beyond the poles');
  const [west = 0] = await seen({}, -1e9, 0);
  const [, , east = 0] = await seen({}, 1e9, 0);
  t.strictSame([west, east], [width / 2 - world / 2, width / 2 + world / 2], 'each place once');
  const around = { max_bounds: { south: 52.4, west: 13.3, north: 52.6, east: 13.5 } };
  const degree = world / 360;
  t.ok(Math.abs(((await seen(around, -1e9, 0))[0] ?? 0) - (width / 2 - 0.1 * degree)) <= 1, 'the western edge of the bounds');
  t.ok(Math.abs(((await seen(around, 1e9, 0))[2] ?? 0) - (width / 2 + 0.1 * degree)) <= 1, 'the eastern one');
  const elsewhere = { max_bounds: { south: -20, west: 170, north: -10, east: -170 } };
  t.equal((await seen(elsewhere, -1e9, 0))[0], west, 'bounds of another place do not count');
  t.strictSame(page.complaints, []);
});

test.all('an object of any size is brought into view within the limits of the view', { skip }, async (t) => {
  const page = await openDrawing(t, width, height, "{ tiles: 'none' }");
  for (const type of ['osm', 'color', 'image']) {
    for (const radius of [1e3, 1e6, 1e9]) {
      const objects = [
        spot('spot', 200, 150, { id: 'spot', radius }),
        box('box', -radius, -radius, 2 * radius, 2 * radius, { id: 'box' }),
        spot('far', radius, radius, { id: 'far' }),
      ];
      await page.value(`drawing.show(viewer.readArtboard(${JSON.stringify(plan(objects, { type, id: `${type} ${radius}` }))}))`);
      const asked = (await page.value(`(() => {
        const view = drawing.map.getView();
        const all = [];
        view.animate = (animation) => all.push(animation);
        for (const id of ['spot', 'box', 'far']) drawing.reveal(id);
        return { most: view.getMaxResolution(), all: all.map(({ resolution, center }) => ({ resolution, center })) };
      })()`)) as { most: number; all: { resolution: number; center: number[] }[] };
      t.ok(asked.all.length > 0, `${type} ${radius}`);
      for (const { resolution, center } of asked.all) {
        t.ok(resolution <= asked.most, `${resolution} of at most ${asked.most}`);
        t.ok(center.every(Number.isFinite));
      }
    }
  }
  t.strictSame(page.complaints, []);
});

test.all('an update draws only what differs, and keeps the view, the hover style and the ring', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const [a, b, c] = [50, 150, 250].map((x) => spot(`at ${x}`, x, 50, { radius: 20, ...Red })) as [Members, Members, Members];
  const update = (...objects: Members[]) => page.value(`drawing.update(viewer.readArtboard(${JSON.stringify(plan(objects))}))`);
  await show(page, plan([a, b, c]));
  await page.value(`drawing.hover('${b['id']}'), drawing.focus('${b['id']}'), atScale(1.5)`);
  await page.value(`globalThis.kept = ['${a['id']}', '${b['id']}'].map((id) => drawing.featureOf(id))`);
  const resolution = await page.value('drawing.map.getView().getResolution()');
  const changes = 'drawing.objects.getRevision()';
  const revision = await page.value(changes);
  t.equal(await update(a, b, c), false, 'nothing differs');
  t.equal(await page.value('drawing.map.getView().getResolution()'), resolution);
  t.equal(await update({ ...a, color: '#00ff00' }, b, c), true);
  t.equal(await page.value(changes), revision, 'another colour needs no new drawing instructions');
  await update(
    { ...a, color: '#00ff00' },
    { ...b, hover_color: '#00ff00', hover_opacity: 1 },
    spot('new', 100, 150, { radius: 20, ...Red }),
  );
  await page.value('atScale(1), drawn()');
  t.strictSame(
    await pixelsAt(page, [
      [50, 50],
      [150, 50],
      [250, 50],
      [100, 150],
    ]),
    [green, green, white, red],
  );
  t.equal(await nameAt(page, 250, 50), null, 'what is gone is not found');
  t.equal(await nameAt(page, 100, 150), 'new');
  t.equal(await page.value(`kept.every((feature) => drawing.featureOf(feature.getId()) === feature)`), true);
  // On top of each other, and then the other way round.
  const [first, second] = [spot('first', 200, 200, { ...Red }), spot('second', 200, 200, { color: '#00ff00' })];
  await update(first, second);
  t.equal(await nameAt(page, 200, 200), 'second');
  t.equal(await update(second, first), true, 'another order is a difference');
  t.equal(await nameAt(page, 200, 200), 'first');
  await page.value('atScale(1), drawn()');
  t.strictSame(await pixelsAt(page, [[200, 200]]), [red]);
  t.equal(await page.value(`drawing.update(viewer.readArtboard(${JSON.stringify(plan([second], { id: 'another' }))}))`), true);
  await page.value('atScale(1), drawn()');
  t.strictSame(await pixelsAt(page, [[200, 200]]), [green], 'another artboard is drawn whole');
  t.strictSame(page.complaints, []);
});

test.all('an update may make an artboard dense and back, and keeps the layers of an editor', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const desk = spot('Desk', 350, 250, { radius: 20, color: '#00ff00' });
  const update = (objects: readonly Members[]) =>
    page.value(`drawing.update(viewer.readArtboard(${JSON.stringify(plan(objects))})), drawn()`);
  const crowd = Array.from({ length: 8000 }, (_, at) => spot(`${at}`, at % 200, Math.floor(at / 200), { radius: 2, ...Red }));
  await show(page, plan([desk]));
  await page.value('globalThis.layers = drawing.map.getLayers().getArray().length');
  for (const round of [1, 2]) {
    await update([desk, ...crowd]);
    t.equal(await page.value('drawing.isDense'), true);
    const colours = [
      [100, 20],
      [350, 250],
    ] as const;
    t.strictSame(await pixelsAt(page, colours), [red, green]);
    await update([desk, ...crowd.map((object) => ({ ...object, color: '#00ff00' }))]);
    t.strictSame(await pixelsAt(page, colours), [green, green], 'the image is drawn again');
    await update([desk]);
    t.equal(await page.value('drawing.isDense'), false);
    t.strictSame(await pixelsAt(page, colours), [white, green]);
    t.equal(await page.value('drawing.map.getLayers().getArray().length === layers'), true, `round ${round}`);
  }
  t.strictSame(page.complaints, []);
});
