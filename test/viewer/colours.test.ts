/** Colours of the viewer against those of a browser's canvas, which parses CSS itself. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { openDrawing } from './drawing-page.ts';

t.setTimeout(120_000);

const channel = ['0', '7', '128', '255', '127.5', '-3', '300', '40%', '100%', '.6%'];
const texts = [
  ...['#abc', '#ABCD', '#A1B2C3', '#ff000080', '#12', '#12345', '#', 'abc', 'fade', '', 'transparent', 'no-colour', 'url(x)'],
  ...[
    'rgb(1,2)',
    'rgb(1 2,3)',
    'rgb(1 2 3 , 0.5)',
    'rgb(1,2,3/0.5)',
    'rgb(1px 2 3)',
    'rgb(rgb(1 2 3))',
    'hsl(1,2,3)',
    'rgb(1%,2,3)',
  ],
  ...channel.flatMap((r) => [`rgb(${r} 20 30)`, `rgb(${r} 20% 30% / 40%)`]),
  ...channel.map((r) => (r.endsWith('%') ? `rgba(${r}, 0%, 5%, .25)` : `rgb(${r}, 0, 5, 0.25)`)),
  ...['0', '-240', '480', '210', '37.5', '120deg', '0.5turn'].flatMap((h) =>
    ['0%', '33%', '100%', '150%'].flatMap((s) => ['0%', '25%', '60%', '120%'].map((l) => `hsl(${h}, ${s}, ${l})`)),
  ),
];

t.test('a colour is what a canvas makes of it', { skip }, async (t) => {
  const page = await openDrawing(t, 10, 10);
  const differences = (await page.value(`(() => {
    const context = document.createElement('canvas').getContext('2d');
    const native = (text) => {
      const [a, b] = ['#010203', '#030201'].map((probe) => {
        context.fillStyle = probe;
        context.fillStyle = text;
        return context.fillStyle;
      });
      if (a !== b) return 'none';
      if (a.startsWith('#')) return a;
      const [red, green, blue, alpha] = a.match(/[\\d.]+/g).map(Number);
      return [red, green, blue, Math.round(alpha * 255)].join();
    };
    const own = (text) => {
      const { css, alpha, rgb } = viewer.colourOf(text, '#fedcba');
      if (css === '#fedcba') return 'none';
return alpha === 1 ? css : [...rgb, alpha].map((part) => Math.round(part * 255)).join();
    };
    return ${JSON.stringify(texts)}.filter((text) => native(text) !== own(text)).map((text) => text + ': ' + own(text) + ', not ' + native(text));
  })()`)) as string[];
  t.strictSame(differences, []);
});
