// tier: normal
/** Another picture of an artboard: where its objects go, and the dialog that asks, by mouse, touch and keys. */
import t, { type Test } from 'tap';
import { DiffBuilder } from '../../src/lib/change/diff-builder.ts';
import {
  countOutside,
  firstPairs,
  haveSameRatio,
  movedObjects,
  movementOf,
  replacePicture,
  withPoint,
} from '../../src/web/console/commands/replacement.ts';
import { ProjectStore } from '../../src/web/console/document/project-store.ts';
import { kinds } from '../../src/web/console/kinds/resource-kinds.ts';
import {
  type Affine,
  affineOf,
  applied,
  isMirroring,
  lengthFactor,
  scaling,
  type ThreePoints,
} from '../../src/web/console/shapes/affine.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { randomFrom } from '../support/random.ts';
import { test } from '../support/test.ts';
import { type ConsoleOptions, ConsolePage, sampleProject } from './console-page.ts';
import { room } from './tool-support.ts';

t.setTimeout(600_000);

const three = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([x, y]) => ({ x, y })) as unknown as ThreePoints;
const former = { url: '/f/a', width: 800, height: 600 };
const next = { url: '/f/b', width: 1600, height: 900 };

t.test('three pairs of points give the transformation that moved, turned, scaled and sheared a plan', async (t) => {
  const whole = randomFrom(31);
  const random = () => whole(1_000_000) / 500_000 - 1;
  for (let round = 0; round < 200; round++) {
    const wanted: Affine = { a: random(), b: random(), c: random(), d: random(), e: 900 * random(), f: 900 * random() };
    const from = three([100 * random(), 80], [700, 100 * random()], [400 * random(), 600]);
    const to = from.map((point) => applied(wanted, point)) as unknown as ThreePoints;
    const found = affineOf(from, to);
    if (found === undefined) continue;
    const point = { x: 500 * random(), y: 500 * random() };
    const [a, b] = [applied(found, point), applied(wanted, point)];
    t.ok(Math.hypot(a.x - b.x, a.y - b.y) < 1e-6, `round ${round}`);
    t.equal(isMirroring(found), wanted.a * wanted.d < wanted.b * wanted.c);
  }
  t.equal(lengthFactor(scaling(2, 8)), 4);
});

t.test('points on one line, or almost, are refused with the plan on which they are', async (t) => {
  const triangle = three([0, 0], [100, 0], [0, 100]);
  for (const line of [
    three([0, 0], [50, 50], [100, 100]),
    three([0, 0], [500, 3], [1000, 0]),
    three([10, 10], [10, 10], [90, 20]),
    three([5, 5], [5, 5], [5, 5]),
  ]) {
    t.equal(affineOf(line, triangle), undefined);
    t.equal(affineOf(triangle, line), undefined);
    t.strictSame(movementOf('align', former, next, { former: line, next: triangle }), { onOneLine: 'former' });
    t.strictSame(movementOf('align', former, next, { former: triangle, next: line }), { onOneLine: 'next' });
  }
  t.ok(affineOf(three([0, 0], [500, 30], [1000, 0]), triangle), 'a flat triangle is one');
});

t.test('objects are scaled with the picture, keep their pixels, or follow three points', async (t) => {
  const pairs = firstPairs(former, next);
  t.strictSame(movementOf('scale', former, next, pairs), scaling(2, 1.5));
  t.strictSame(movementOf('keep', former, next, pairs), scaling(1, 1));
  const { a, b, c, d } = movementOf('align', former, next, pairs) as Affine;
  t.ok(
    [a - 2, b, c, d - 1.5].every((rest) => Math.abs(rest) < 1e-9),
    'the first points scale, too',
  );
  t.strictSame(haveSameRatio(former, next), false);
  t.strictSame(
    haveSameRatio(former, { ...next, height: 1199 }),
    true,
    'a size in whole pixels has a ratio that is almost the same',
  );
  const outside = withPoint(pairs, 'next', 2, { x: -20, y: 3000 }, next);
  t.strictSame(outside.next[2], { x: 0, y: 900 }, 'a point stays on its plan');
  t.strictSame(outside.former, pairs.former);
});

t.test('one step has the new size, the new places, and radii of the mean factor', async (t) => {
  const artboard = { id: 'floor', type: 'image', image_url: '/f/a', width: 800, height: 600 };
  const objects = [
    { id: 'room', type: 'poly', color: '#f00', ...room(100, 100, 250, 200) },
    { id: 'spot', type: 'spot', color: '#0f0', x: 400, y: 300, radius: 10, coords: [] },
    { id: 'nothing', type: 'poly', color: '#00f', coords: [] },
  ];
  const store = new ProjectStore('centre');
  store.put({ kind: 'artboard', id: 'floor' }, { ...artboard, objects }, undefined);
  const changed = (movement: Affine) => {
    const edit = new DiffBuilder(store.expected, kinds, () => '');
    return [...replacePicture(edit, 'floor', next, objects, movement).diff.changes.values()];
  };
  t.match(changed(scaling(2, 0.5)), [
    {
      id: 'floor',
      from: { members: { image_url: '/f/a', width: 800, height: 600 } },
      to: { members: { image_url: '/f/b', width: 1600, height: 900 } },
    },
    { id: 'room', to: { members: room(200, 50, 500, 100) } },
    { id: 'spot', from: { members: { x: 400, y: 300 } }, to: { members: { x: 800, y: 150 } } },
  ]);
  t.equal(changed(scaling(2, 0.5)).length, 3);
  t.equal(changed(scaling(1, 1)).length, 1, 'objects that stay are not written');
  const moved = movedObjects(objects, { ...scaling(1, 1), e: -260 });
  t.equal(countOutside(moved, next), 1);
});

/** A floor with a room and a spot on a picture, and the dialog for a picture that is turned by 90° clockwise. */
async function openReplacement(t: Test, looks: ConsoleOptions = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, artboard } = await sampleProject(mapwright);
  const at = `/projects/${project}/artboards/${artboard}`;
  const drawn = (width: number, height: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="40" fill="#0f766e"/></svg>`;
  const embedded = `data:image/svg+xml,${encodeURIComponent(drawn(800, 600))}`;
  await mapwright.patch(at, { type: 'image', image_url: embedded });
  const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
  const { page } = opened;
  const pane = async (name: string) => {
    if (looks.width === 390) await page.locator('.panes').getByRole('button', { name }).click();
  };
  const choose = async (width: number, height: number) => {
    await pane('List');
    await page.locator('.artboard-row').click();
    await pane('Form');
    await page.locator('.picture-field input[type=file]').setInputFiles({
      name: 'plan.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(drawn(width, height)),
    });
    await page.getByRole('heading', { name: 'Replace the picture' }).waitFor();
  };
  const stored = async () => {
    const { image_url, width, height, objects } = (await mapwright.get(at)).shown as Shown & { objects: Shown[] };
    return { url: String(image_url), width, height, objects };
  };
  const replace = async () => {
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByText('The picture is replaced').waitFor();
    await opened.waitUntilSaved();
  };
  return { opened, page, choose, stored, replace, embedded };
}

/** Where the three points are on a plan of 600 × 800 that is turned by 90° clockwise. */
const turned = [
  { x: 480, y: 160 },
  { x: 480, y: 640 },
  { x: 120, y: 400 },
] as const;

/** The room and the spot on it; a place that a pointer has chosen is a pixel of the screen. */
function checkTurned(t: Test, { objects, ...artboard }: { objects: Shown[] } & Record<string, unknown>, tolerance: number) {
  t.match(artboard, { width: 600, height: 800 });
  const [spot, poly] = objects as [Shown, Shown];
  const corners = poly['coords'] as readonly { x: number; y: number }[];
  const wanted = [
    [500, 100],
    [500, 250],
    [400, 250],
    [400, 100],
    [300, 400],
  ] as const;
  for (const [n, { x, y }] of [...corners, spot as unknown as { x: number; y: number }].entries()) {
    const [wantedX = 0, wantedY = 0] = wanted[n] ?? [];
    t.ok(Math.hypot(x - wantedX, y - wantedY) <= tolerance, `${n}: ${x}, ${y}`);
  }
}

test.all('a larger picture scales the objects in one batch and one step of undo', { skip }, async (t) => {
  const { opened, page, choose, stored, replace, embedded } = await openReplacement(t);
  const before = (await stored()).objects;
  await choose(1600, 1200);
  await page.getByText('Both have the same ratio of width to height.').waitFor();
  t.equal(await page.getByLabel('Scale the objects with the picture').isChecked(), true);
  t.strictSame(await opened.violations(), []);
  const asked = opened.recorded.asked.length;
  await replace();
  const { url, objects, ...size } = await stored();
  t.match([size, url], [{ width: 1600, height: 1200 }, /^\/f\//]);
  t.match(objects, [{ x: 800, y: 600, radius: 40 }, { ...room(200, 200, 500, 400) }]);
  const writes = opened.recorded.asked.slice(asked).filter((each) => /^(?:POST|PATCH)/.test(each));
  t.equal(writes.length, 1, writes.join());
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.recorded.until("document.querySelector('.embedded') !== null");
  await opened.waitUntilSaved();
  t.match(await stored(), { url: embedded, width: 800, height: 600, objects: before });
  await choose(1200, 600);
  await page.getByText(/changes from 1\.33 : 1 to 2 : 1/).waitFor();
  await page.getByLabel('Keep the objects at their pixels').check();
  await replace();
  t.match(await stored(), { width: 1200, height: 600, objects: before });
  t.strictSame(opened.complaints, []);
});

const ways = [
  { by: 'mouse', looks: {}, tolerance: 8 },
  { by: 'touch', looks: { width: 390, height: 780, options: { hasTouch: true } }, tolerance: 8 },
  { by: 'keys', looks: {}, tolerance: 0.5 },
] as const;

for (const { by, looks, tolerance } of ways) {
  test.all(`a turned plan is aligned with three points by ${by}`, { skip }, async (t) => {
    const { opened, page, choose, stored, replace } = await openReplacement(t, looks);
    await choose(600, 800);
    const align = page.getByLabel('Align the new plan with three points');
    if (by === 'keys') {
      await page.getByLabel('Scale the objects with the picture').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
    } else await align.check();
    t.equal(await align.isChecked(), true);
    const plan = page.locator('.point-stage').nth(1);
    const point = (n: number) => page.getByRole('button', { name: `Point ${n} on the new plan` });
    await plan.locator('img').evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
    const placeOf = async ({ x, y }: { readonly x: number; readonly y: number }) => {
      await plan.scrollIntoViewIfNeeded();
      const box = (await plan.boundingBox()) as { x: number; y: number; width: number; height: number };
      return { x: box.x + (x / 600) * box.width, y: box.y + (y / 800) * box.height };
    };
    // The first place is that of the second point before it has moved.
    for (const n of [1, 2, 0]) {
      const to = turned[n as 0 | 1 | 2];
      if (by === 'keys') {
        await point(n + 1).focus();
        await moveByKeys(page, point(n + 1), to);
      } else if (by === 'touch') {
        await page.getByRole('button', { name: `Point ${n + 1} on the former plan` }).tap();
        const { x, y } = await placeOf(to);
        await page.touchscreen.tap(x, y);
      } else {
        const { x, y } = await placeOf(to);
        const box = (await point(n + 1).boundingBox()) as { x: number; y: number; width: number; height: number };
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(x, y, { steps: 4 });
        await page.mouse.up();
      }
      await page
        .getByText(new RegExp(`^Point ${n + 1} on the new plan: `))
        .first()
        .waitFor();
    }
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    await replace();
    checkTurned(t, await stored(), tolerance);
    t.strictSame(opened.complaints, []);
  });
}

/** Presses arrows until a point is where it should be: steps of a hundredth, with Shift of a pixel. */
async function moveByKeys(
  page: ConsolePage['page'],
  point: ReturnType<ConsolePage['page']['locator']>,
  to: { readonly x: number; readonly y: number },
): Promise<void> {
  const text = (await point.getAttribute('aria-label')) ?? '';
  const [x = 0, y = 0] = text.split(': ')[1]?.split(', ').map(Number) ?? [];
  const step = 8;
  for (const [by, less, more] of [
    [to.x - x, 'ArrowLeft', 'ArrowRight'],
    [to.y - y, 'ArrowUp', 'ArrowDown'],
  ] as const) {
    const key = by < 0 ? less : more;
    for (let n = 0; n < Math.floor(Math.abs(by) / step); n++) await page.keyboard.press(key);
    for (let n = 0; n < Math.abs(by) % step; n++) await page.keyboard.press(`Shift+${key}`);
  }
}

for (const zoom of ['1×', '4×']) {
  test.all(`the dialog stays still while a point is dragged to the edge of a plan, at ${zoom}`, { skip }, async (t) => {
    const { page, choose } = await openReplacement(t);
    await choose(600, 800);
    await page.getByLabel('Align the new plan with three points').check();
    await page.getByRole('button', { name: zoom }).click();
    const [former] = await page.locator('.point-stage').all();
    const point = page.getByRole('button', { name: 'Point 2 on the former plan' });
    const places = async () => [await page.locator('dialog').boundingBox(), await former?.boundingBox()];
    // The first press shows the point in a plan that is enlarged; the pointer has it from then on.
    await point.focus();
    const still = await places();
    const plan = still[1] as { x: number; y: number; width: number; height: number };
    const box = (await point.boundingBox()) as { x: number; y: number };
    await page.mouse.move(box.x + 18, box.y + 18);
    await page.mouse.down();
    for (const [x, y] of [
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ] as const) {
      await page.mouse.move(plan.x + x * plan.width, plan.y + y * plan.height, { steps: 3 });
      t.strictSame(await places(), still, `${x}, ${y}`);
    }
    await page.mouse.up();
    t.strictSame(await places(), still);
    const third = page.getByRole('button', { name: 'Point 1 on the former plan' });
    const { x, y } = (await third.boundingBox()) as { x: number; y: number };
    await page.mouse.move(x + 9, y + 9);
    await page.mouse.down();
    t.strictSame(await places(), still, 'a plan does not move under a press');
    await page.mouse.up();
  });
}

test.all(
  'every point is visible, plans are as large as the dialog, and a click moves the active point, also within its ring',
  {
    skip,
  },
  async (t) => {
    const { page, choose } = await openReplacement(t, { width: 1400, height: 800 });
    await choose(600, 800);
    await page.getByLabel('Align the new plan with three points').check();
    const [plan] = (await page.locator('.point-stage').all()) as [ReturnType<typeof page.locator>];
    const label = async (n: number) => (await page.locator('.point').nth(n).getAttribute('aria-label'))?.split(': ')[1];
    for (const [n, number] of (await page.locator('.point span').all()).entries()) {
      const box = (await number.boundingBox()) as { x: number; y: number; width: number; height: number };
      const hit = `document.elementFromPoint(${box.x + box.width / 2}, ${box.y + box.height / 2})?.textContent`;
      t.equal(await page.evaluate(hit), String((n % 3) + 1), 'the number of each point is above the plan');
    }
    const box = (await plan.boundingBox()) as { x: number; y: number; width: number; height: number };
    const dialog = (await page.locator('dialog').boundingBox()) as { width: number };
    t.ok(dialog.width > 1370 && box.height > 440, `a plan of ${box.width} x ${box.height} in a dialog of ${dialog.width}`);
    const clickAt = (x: number, y: number) => page.mouse.click(box.x + (x / 800) * box.width, box.y + (y / 600) * box.height);
    await clickAt(170, 130);
    t.match(await label(0), /^1(?:6[89]|7[012]), 1(?:2[89]|3[012])$/, 'within the ring');
    await clickAt(640, 120);
    t.equal(await label(1), '640, 120', 'a click on another point chooses it');
    await clickAt(650, 130);
    t.match(await label(1), /^6(?:4[89]|5[012]), 1(?:2[89]|3[012])$/);
    await clickAt(300, 300);
    t.match(await label(1), /^(?:29[89]|30[012]), (?:29[89]|30[012])$/, 'anywhere on the plan');
    await page.keyboard.press('Enter');
    t.match(await label(1), /^(?:29[89]|30[012]), /, 'Enter on a point moves nothing');
  },
);

test.all('points on one line are refused with what to do', { skip }, async (t) => {
  const { opened, page, choose } = await openReplacement(t);
  await choose(800, 600);
  await page.getByLabel('Align the new plan with three points').check();
  const third = page.getByRole('button', { name: 'Point 3 on the former plan' });
  await third.focus();
  for (let n = 0; n < 45; n++) await page.keyboard.press('ArrowUp');
  await page.getByText('The three points on the former plan are on one line. Move one of them').waitFor();
  t.equal(await page.getByRole('button', { name: 'Replace', exact: true }).isDisabled(), true);
  t.strictSame(await opened.violations(), []);
  for (let n = 0; n < 9; n++) await page.keyboard.press('ArrowUp');
  await page.getByText('This turns left into right').waitFor();
  t.equal(await page.getByRole('button', { name: 'Replace', exact: true }).isDisabled(), false);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
});
