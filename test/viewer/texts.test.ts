// tier: normal
/** Names that are always or never written, texts, and the name of the chosen object: their places and sizes. */
import t from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { openDrawing } from './drawing-page.ts';
import { artboard, box, spot } from './samples.ts';

t.setTimeout(300_000);

const [width, height] = [400, 300];
type Members = Record<string, unknown>;

/** Opens a drawing with names in the given mode; the style is that of the viewer as far as it decides about places. */
async function openNames(t: Parameters<typeof openDrawing>[0], mode: string): Promise<Page> {
  const page = await openDrawing(t, width, height);
  await page.value(`(() => {
    const names = document.createElement('div');
    document.body.append(names);
    Object.assign(names.style, { position: 'absolute', inset: '0', width: '${width}px', height: '${height}px', overflow: 'hidden' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.name { position: absolute; top: 0; left: 0; inline-size: max-content; max-inline-size: 8.5rem; font: 600 13px/1.2 sans-serif; overflow-wrap: anywhere; }');
    document.adoptedStyleSheets = [sheet];
    globalThis.labels = new viewer.MapLabels(drawing, names);
    labels.mode = '${mode}';
    /** The written names, with their boxes in whole pixels. */
    globalThis.written = async () => {
      for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
      return [...names.children].map((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return { name: each.textContent, left, top, right, bottom, width: right - left, height: bottom - top };
      }).sort((a, b) => (a.name < b.name ? -1 : 1));
    };
  })()`);
  return page;
}

interface Name {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

const show = (page: Page, objects: readonly Members[]): Promise<unknown> =>
  page.value(`show(${JSON.stringify(artboard('plan', objects, { width, height }))})`);
const written = (page: Page): Promise<Name[]> => page.value('written()') as Promise<Name[]>;
const namesOf = (all: readonly Name[]): string[] => all.map(({ name }) => name);
const text = (name: string, x: number, y: number, more: Members = {}): Members =>
  spot(name, x, y, { label: 'always', opacity: 0, pin: false, interactive: false, ...more });

t.test('a label that is always or never written does not depend on the mode of the map', { skip }, async (t) => {
  const page = await openNames(t, 'none');
  const objects = [
    spot('Always', 60, 60, { label: 'always' }),
    spot('Never', 200, 60, { label: 'never' }),
    spot('Usual', 60, 200),
    spot('Untitled Object', 300, 200, { label: 'always' }),
    box('Wrong', 200, 150, 100, 100, { label: 'sometimes', label_size: 'large' }),
  ];
  await show(page, objects);
  t.strictSame(namesOf(await written(page)), ['Always']);
  await page.value(`(labels.mode = 'all', 0)`);
  t.strictSame(namesOf(await written(page)), ['Always', 'Usual', 'Wrong']);
  await page.value(`(labels.mode = 'none', drawing.choose('${objects[2]?.['id']}'))`);
  t.strictSame(namesOf(await written(page)), ['Always', 'Usual'], 'the chosen object has its name');
  await page.value(`drawing.choose('${objects[3]?.['id']}')`);
  t.strictSame(namesOf(await written(page)), ['Always'], 'unless it has none');
  await page.value(`(labels.mode = 'all', drawing.setFilter(({ name }) => name === 'Wrong'))`);
  t.strictSame(namesOf(await written(page)), ['Wrong'], 'hidden objects have no name');
  t.strictSame(page.complaints, []);
});

t.test('a text is centred in its place, in its size, at each zoom, and no word of it is broken', { skip }, async (t) => {
  const page = await openNames(t, 'auto');
  const word = 'Rindfleischetikettierungsgesetz';
  await show(page, [
    box('Hall', 0, 0, 400, 300, { color: '#eeeeee' }),
    text('Main <b>entrance</b>', 200, 100, { label_size: 24 }),
    text('Over', 200, 100),
    text(word, 200, 200, { label_size: 20 }),
    text('Giant', 200, 250, { label_size: 1e308 }),
    text('Tiny', 100, 20, { label_size: 0 }),
  ]);
  const find = (all: readonly Name[], name: string): Name => all.find((each) => each.name === name) as Name;
  const first = await written(page);
  t.strictSame(
    namesOf(first),
    ['Giant', 'Hall', 'Main <b>entrance</b>', 'Over', word, 'Tiny'].sort((a, b) => (a < b ? -1 : 1)),
  );
  const sign = find(first, 'Main <b>entrance</b>');
  t.ok(Math.abs((sign.left + sign.right) / 2 - 200) <= 1 && Math.abs((sign.top + sign.bottom) / 2 - 100) <= 1);
  t.equal(find(first, word).height, 24, 'in one line');
  t.ok(find(first, word).width > 250);
  t.equal(Math.round(find(first, 'Giant').height), Math.round(96 * 1.2));
  t.equal(Math.round(find(first, 'Tiny').height), Math.round(6 * 1.2));
  await page.value('(atScale(0.5), drawing.map.renderSync(), 0)');
  const later = find(await written(page), 'Main <b>entrance</b>');
  t.equal(later.width, sign.width, 'its size does not change');
  t.ok(Math.abs((later.left + later.right) / 2 - 100) <= 1);
  t.strictSame(page.complaints, []);
});

t.test('no name covers another object’s spot, icon or name', { skip }, async (t) => {
  const page = await openNames(t, 'auto');
  const hall = box('Hall', 100, 100, 200, 100, { color: '#eeeeee' });
  await show(page, [hall, spot('', 200, 150, { radius: 4, interactive: false })]);
  const [name] = (await written(page)) as [Name];
  t.ok(name.bottom <= 146 || name.top >= 154, 'a spot without a name');
  await show(page, [hall, { ...text('Sign', 200, 150), opacity: 0 }]);
  const [over, sign] = (await written(page)) as [Name, Name];
  t.strictSame([over.name, sign.name], ['Hall', 'Sign']);
  t.ok(over.bottom <= sign.top || over.top >= sign.bottom, 'a text');
  await show(page, [hall, spot('', 200, 150, { radius: 4, opacity: 0 })]);
  const [alone] = (await written(page)) as [Name];
  t.equal(Math.round((alone.top + alone.bottom) / 2), 150, 'what is not visible does not count');
  await page.value(`drawing.choose('${hall['id']}')`);
  await show(page, [{ ...hall, label_size: 40 }, spot('Large', 200, 150, { radius: 45 })]);
  t.strictSame(namesOf(await written(page)), ['Large'], 'no room');
  await page.value(`drawing.choose('${hall['id']}')`);
  t.strictSame(namesOf(await written(page)), ['Hall', 'Large'], 'the chosen object keeps its name');
  t.strictSame(page.complaints, []);
});

t.test('the name of the chosen object stays beside what covers the map', { skip }, async (t) => {
  const page = await openNames(t, 'none');
  const shop = spot('Bakery', 330, 150, { radius: 10 });
  await show(page, [shop]);
  await page.value(
    `(drawing.choose('${shop['id']}'), drawing.reveal('${shop['id']}', [0, 40, 0, 0]), drawing.map.renderSync(), 0)`,
  );
  const [name] = (await written(page)) as [Name];
  const left = (await page.value(`drawing.boxOf('${shop['id']}').left`)) as number;
  t.ok(name.right <= 360, `${name.right}`);
  t.ok(name.right <= left, 'on the other side');
  await page.value('drawing.choose(undefined)');
  t.strictSame(await page.value('drawing.covered'), [0, 0, 0, 0]);
});
