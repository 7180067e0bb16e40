/** Colours of any text: what is one, its numbers, and texts that are made to hurt. */
import t from 'tap';
import { hexOf, parseColour } from '../../src/lib/draw/css-colour.ts';
import fc from '../support/fast-check.ts';

const read = (text: string): string | undefined => {
  const colour = parseColour(text);
  return colour && `${hexOf(colour.rgb)} ${Math.round(colour.alpha * 1000) / 1000}`;
};

/** What a text means, with the opacity; the forms that CSS Color 4 has for hexadecimal numbers, `rgb()`, `hsl()` and names. */
const colours: readonly (readonly [string, string])[] = [
  ['#abc', '#aabbcc 1'],
  ['#ABCD', '#aabbcc 0.867'],
  ['#A1B2C3', '#a1b2c3 1'],
  ['#ff000080', '#ff0000 0.502'],
  [' #fff\n', '#ffffff 1'],
  ['tomato', '#ff6347 1'],
  ['RebeccaPurple', '#663399 1'],
  ['transparent', '#000000 0'],
  ['rgb(255, 0, 128)', '#ff0080 1'],
  ['RGB(255 0 128)', '#ff0080 1'],
  ['rgb(100%, 0%, 50%)', '#ff0080 1'],
  ['rgb( +12.6 , -4 , 300 )', '#0d00ff 1'],
  ['rgba(0, 0, 255, 0.25)', '#0000ff 0.25'],
  ['rgb(0 0 255 / 25%)', '#0000ff 0.25'],
  ['rgb(0 0 255/.25)', '#0000ff 0.25'],
  ['rgba(0, 0, 255, 7)', '#0000ff 1'],
  ['rgb(1e2 0 none)', '#640000 1'],
  ['rgb(1e999 0 0)', '#ff0000 1'],
  ['hsl(120, 100%, 25%)', '#008000 1'],
  ['hsl(-240deg 100% 25%)', '#008000 1'],
  ['hsl(0.5turn 100% 50%)', '#00ffff 1'],
  ['hsl(480 100 25)', '#008000 1'],
  ['hsl(120 150% 50%)', '#00ff00 1'],
  ['hsl(120, 100%, 150%)', '#ffffff 1'],
  ['hsla(210, 50%, 40%, 50%)', '#336699 0.5'],
];

const others = [
  ...['', ' ', '#', '#12', '#12345', '#1234567', '#123456789', '#ggg', 'abc', 'fade', '123456', 'no-colour', 'constructor'],
  ...['__proto__', 'currentcolor', 'canvas', 'inherit', 'var(--a)', 'url(x)', 'red;', 'red red', '"red"', 'rgb', 'rgb(', 'rgb()'],
  ...[
    'rgb(1,2)',
    'rgb(1 2,3)',
    'rgb(1 2 3 , 0.5)',
    'rgb(1,2,3/0.5)',
    'rgb(1,2,3,4,5)',
    'rgb(1%,2,3)',
    'hsl(1,2,3)',
    'hsl(1%, 2%, 3%)',
  ],
  ...[
    'rgb(1px 2 3)',
    'rgb(1deg 2 3)',
    'rgb(NaN 0 0)',
    'rgb(Infinity 0 0)',
    'rgb(rgb(1 2 3))',
    'rgb(calc(1) 2 3)',
    'hsl(1foo 2% 3%)',
  ],
  ...['color(', 'color(srgb 1 0 0)', 'lab(50% 0 0)', 'oklch(0.5 0.1 20)', 'color-mix(in srgb, red, blue)', 'javascript:alert(1)'],
];

t.test('each form of a colour has the numbers that CSS gives it', async (t) => {
  for (const [text, expected] of colours) t.equal(read(text), expected, text);
});

t.test('a text that is no colour is refused', async (t) => {
  for (const text of others) t.equal(read(text), undefined, text);
});

t.test('a long text is refused whatever it contains', async (t) => {
  for (const part of ['#', '(', 'rgb(', 'a', '1', '1,', '-', '+', '.', ' 1', '1e', '/ ', '%', '\n', '\u{1f600}', 'hsl(1deg '])
    for (const head of ['', 'rgb(', 'hsl(', '#'])
      t.equal(read(head + part.repeat(1_000_000 / part.length)), undefined, `${head} and many "${part}"`);
  t.equal(read(`${' '.repeat(1_000_000)}red${' '.repeat(1_000_000)}`), '#ff0000 1', 'space around it does not count');
});

t.test('any text is refused or becomes numbers from 0 to 1', async () => {
  const part = fc.constantFrom(
    ...[
      'rgb(',
      'hsla(',
      'rgba(',
      'hsl(',
      ')',
      '(',
      ',',
      ' ',
      '/',
      '%',
      'deg',
      'turn',
      'px',
      'none',
      '#',
      '1',
      '255',
      '.5',
      '-',
      '+',
    ],
    ...['e', '1e999', '-1e999', 'NaN', 'red', 'fade', '\u00a0', '\u0000', '\ud800', 'color', 'srgb'],
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (text) => {
      const colour = parseColour(text);
      if (colour === undefined) return true;
      return [...colour.rgb, colour.alpha].every((value) => value >= 0 && value <= 1) && /^#[\da-f]{6}$/.test(hexOf(colour.rgb));
    }),
    { numRuns: 2000 },
  );
});
