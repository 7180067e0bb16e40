// tier: all
/** The picture of a popup is shown whole, and leaves room for the text. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { element, inside, open, popupIs } from './element-page.ts';
import { artboard, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

/** A picture with a frame along its edges. */
const picture = (width: number, height: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="100%" height="100%" fill="#fde68a" stroke="#b91c1c" stroke-width="40"/><circle cx="50%" cy="50%" r="90" fill="#1d4ed8"/></svg>`;

const phone = { width: 390, height: 600 };
const computer = { width: 1400, height: 800 };

for (const [name, looks, size] of [
  ['4:3 on a phone', phone, [800, 600]],
  ['portrait on a phone', phone, [600, 1200]],
  ['4:3 on a computer', computer, [800, 600]],
  ['portrait on a computer', computer, [600, 1200]],
] as const)
  t.test(`a picture is whole: ${name}`, { skip }, async (t) => {
    const [width, height] = size;
    const site = await Site.open(t);
    site.set('/picture.svg', { type: 'image/svg+xml', body: picture(width, height) });
    const room = spot('Bakery', 400, 300);
    const map = project([artboard('Plan', [room])], [popupAt(room, { image: '/picture.svg' })]);
    const page = await open(t, site.pageWith(map), looks);
    await page.value(`${element}.open('${room['id']}')`);
    await page.until(popupIs(true));
    const shown = inside('.popup .picture');
    await page.until(`${shown}.complete && ${shown}.clientHeight > 0`);
    const box = (await page.value(
      `(({ clientWidth, clientHeight }) => ({ clientWidth, clientHeight, fit: getComputedStyle(${shown}).objectFit }))(${shown})`,
    )) as { clientWidth: number; clientHeight: number; fit: string };
    t.ok(box.clientHeight <= Math.ceil(looks.height * 0.4), `${box.clientHeight} pixels high`);
    const isWhole = Math.abs(box.clientWidth / box.clientHeight - width / height) < 0.02;
    t.ok(isWhole || box.fit === 'contain', 'nothing is cut off');
  });
