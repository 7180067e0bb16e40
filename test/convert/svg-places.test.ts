// tier: normal, process: shared
/** Transformations and sizes of SVG, and pictures without shapes. */
import t from 'tap';
import { convert } from '../../src/web/convert/convert.ts';
import { summaryOfCase } from './case-summary.ts';
import { bytesOf, convertText, cornersOf, refusalOf, sheet } from './support.ts';

const svg = (content: string, attributes = 'viewBox="0 0 400 300"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
const read = (content: string) => convertText(svg(content), { artboard: sheet });
const create = (content: string, attributes: string) => convertText(svg(content, attributes), { artboard: undefined as never });
const cornersIn = async (style: string, more = '') =>
  cornersOf(await read(`<rect x="10" y="10" width="20" height="10" style="${style}" ${more}/>`));

t.test('transformations of CSS apply, also from sheets, and before the attribute', async (t) => {
  t.match(await summaryOfCase('svg-css-transform.svg'), [
    /color/,
    /^Room: area 200,100/,
    /^Room2: area 85,-15 85,85 35,85 35,-15/,
  ]);
  t.same(await cornersIn('transform:translate(10px, 50%) scale(2)'), ['30,170 70,170 70,190 30,190']);
  for (const angle of ['90deg', '.25turn', '100grad', `${Math.PI / 2}rad`])
    t.same(await cornersIn(`transform:rotate(${angle})`), ['-10,10 -10,30 -20,30 -20,10'], angle);
  t.same(await cornersIn('transform:translateX(5px) skewX(0deg) scaleY(2)'), ['15,20 35,20 35,40 15,40']);
  t.same(await cornersIn('transform:none', 'transform="translate(5)"'), ['10,10 30,10 30,20 10,20']);
  t.same(await cornersIn('transform:nonsense(5)', 'transform="translate(5 -5)"'), ['15,5 35,5 35,15 15,15']);
  const inSheet = await read('<style>.m{transform:translate(1px,2px)}</style><g class="m"><rect width="9" height="9"/></g>');
  t.same(cornersOf(inSheet), ['1,2 10,2 10,11 1,11']);
});

t.test('the origin of a transformation is in the picture or in the element', async (t) => {
  const turned = 'transform:rotate(180deg);';
  t.same(await cornersIn(`${turned}transform-origin:20px 15px`), ['30,20 10,20 10,10 30,10']);
  t.same(await cornersIn(`${turned}transform-origin:center`), ['390,290 370,290 370,280 390,280']);
  t.same(await cornersIn(`${turned}transform-origin:bottom right`), ['790,590 770,590 770,580 790,580']);
  t.same(await cornersIn(`${turned}transform-box:fill-box;transform-origin:50% 50%`), ['30,20 10,20 10,10 30,10']);
  t.same(await cornersIn(`${turned}transform-box:fill-box;transform-origin:left top`), ['10,10 -10,10 -10,0 10,0']);
  const group = await read(
    '<g style="transform-box:fill-box;transform-origin:center;transform:scale(2)"><rect x="10" y="10" width="10" height="10"/><rect x="30" y="10" width="10" height="10"/></g>',
  );
  t.same(cornersOf(group), ['-5,5 15,5 15,25 -5,25', '35,5 55,5 55,25 35,25']);
});

t.test('a use says the size of a symbol or a picture', async (t) => {
  t.match(await summaryOfCase('svg-use-size.svg'), [/color/, /^Seat 1: area 0,0 128,0/, /^Seat 2: area 200,200 232,200/]);
  const conversion = await read(
    '<svg id="p" viewBox="0 0 1 1" width="50" height="50" fill="red"><rect width="1" height="1"/></svg><use href="#p" x="25%" width="10" height="10"/>',
  );
  t.same(cornersOf(conversion), ['0,0 50,0 50,50 0,50', '100,0 110,0 110,10 100,10']);
});

t.test('per cent are those of the view box', async (t) => {
  const { objects, artboard } = await create('<rect width="50%" height="50%"/>', 'width="800" viewBox="0 0 400 300"');
  t.match(artboard, { width: 800, height: 600 }, 'the height follows');
  t.same(cornersOf({ objects } as never), ['0,0 400,0 400,300 0,300']);
});

t.test('a picture of no size shows everything, and an icon becomes large', async (t) => {
  t.match(await summaryOfCase('svg-nosize.svg'), ['color 600 x 600', /^Room: area 100,200/]);
  const near = await create('<path d="M-10 0h2010v1000h-2010z"/>', 'width="100%" height="100%"');
  t.match(near.artboard, { width: 2010, height: 1000 });
  const far = await create('<rect x="4500000" y="5300000" width="100" height="200"/>', '');
  t.match(far.artboard, { width: 100, height: 200 });
  t.same(cornersOf(far), ['0,0 100,0 100,200 0,200']);
  const icon = await create('<rect x="3" y="3" width="18" height="18"/><image width="4" height="4"/>', 'width="24" height="12"');
  t.match(icon.artboard, { width: 800, height: 400, type: 'image' });
  t.same(cornersOf(icon), ['100,100 700,100 700,700 100,700']);
  t.match(icon.background, /width="800" height="400" viewBox="0 0 24 12"/, 'the picture grows with it');
  const unit = await create('<rect width=".5" height=".5"/>', 'viewBox="0 0 1 1"');
  t.same(cornersOf(unit), ['0,0 400,0 400,400 0,400']);
  const odd = await create('<rect width="1e308" height="1"/><rect x="-1e308" width="1e308" height="1"/>', '');
  t.match(odd.artboard, { width: 300, height: 150 });
});

t.test('a picture without shapes is the background of a new artboard', async (t) => {
  t.same(await summaryOfCase('svg-only-image-text.svg'), ['image 400 x 300, with background']);
  const onSheet = await convertText(svg('<text y="9">Plan</text>'), { artboard: sheet });
  t.match(onSheet.report, { made: 0, notes: [{ code: 'empty', detail: /Use it as the background of an artboard/ }] });
  t.match((await convert(bytesOf(svg('<defs><text>Plan</text></defs>')), {})).report, { made: 0, notes: [{ code: 'empty' }] });
});

t.test('the work for one picture is bounded', async (t) => {
  const many = (count: number, part: (i: number) => string): string => Array.from({ length: count }, (_, i) => part(i)).join('');
  const sheets = `<style>${many(20_000, () => 'g a rect,')}rect{fill:red}</style>`;
  const tired = await read(`${sheets}${many(2000, (i) => `<rect class="c${i}" width="9" height="9"/>`)}`);
  t.match(tired.report.notes, [{ code: 'style', leftOut: false }]);
  const laughs = many(8, (i) => `<g id="l${i}">${many(10, () => `<use href="#l${i + 1}"/>`)}</g>`);
  t.match(await refusalOf(svg(`${laughs}<g id="l8"/>`)), /^too-large: The picture has more than 500000 elements/);
  const scripts = await read(`${many(20_000, () => '<script/>')}${many(10_000, () => '<rect width="9" height="9"/>')}`);
  t.equal(scripts.objects.length, 10_000);
  const odd = ['[', '"', ' ;', '/*', 'a{', '@media{', '\\'].map((part) => `<style>${part.repeat(20_000)}</style>`).join('');
  t.equal((await read(`${odd}<rect width="9" height="9" style="fill:${'var(--a,'.repeat(1000)}"/>`)).objects.length, 1);
});
