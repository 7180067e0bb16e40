/**
 * Floor plans as SVG, for the backgrounds of artboards: walls as what is left between floors, doors, windows, furniture and plants. Shapes of one
 * look share one path, so that a plan stays small. Lengths are pixels of the artboard, 40 to the metre.
 */

/** Left, top, width, height. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export type Corner = readonly [x: number, y: number];

const looks = {
  ground: 'fill="#e4eee2"',
  lawn: 'fill="#cfe6cd"',
  paving: 'fill="#dfe3e8"',
  wall: 'fill="#475569" stroke="#475569" stroke-width="2" stroke-linejoin="round"',
  floor: 'fill="#fdfdfc"',
  hall: 'fill="#f3f1ec"',
  carpet: 'fill="#eef2f7"',
  timber: 'fill="#f6ecdc"',
  tiles: 'fill="#edf5f5"',
  deck: 'fill="#ecdcc4"',
  service: 'fill="#dfe3e9"',
  line: 'fill="none" stroke="#c9d1da"',
  joint: 'fill="none" stroke="#d9c4a3"',
  rug: 'fill="#dbe7f5"',
  wood: 'fill="#e6cfac" stroke="#ab8a5e" stroke-width="1.2"',
  white: 'fill="#ffffff" stroke="#93a1b3" stroke-width="1.2"',
  grey: 'fill="#cfd6df" stroke="#8592a5" stroke-width="1.2"',
  dark: 'fill="#64748b"',
  green: 'fill="#8fcb95" stroke="#559661" stroke-width="1.2"',
  leaf: 'fill="none" stroke="#559661"',
  water: 'fill="#bfe0f2" stroke="#7fb6d6" stroke-width="1.2"',
  opening: 'fill="#f3f1ec"',
  swing: 'fill="none" stroke="#9aa7b8" stroke-dasharray="3 3"',
  leafOfDoor: 'fill="none" stroke="#475569" stroke-width="2.5" stroke-linecap="round"',
  glass: 'fill="#c7e3f5" stroke="#5b8fb3"',
} as const;

export type Look = keyof typeof looks;

const short = (n: number): string => String(Math.round(n * 10) / 10);

/** Parts of a path: `p('M', 1, 2)`. */
const p = (letter: string, ...numbers: readonly number[]): string => letter + numbers.map(short).join(' ');

/** A box, perhaps with round corners. */
export const boxPath = ([x, y, width, height]: Box, radius = 0): string => {
  const r = Math.min(radius, width / 2, height / 2);
  if (r <= 0) return `${p('M', x, y)}${p('h', width)}${p('v', height)}${p('h', -width)}z`;
  const turn = (dx: number, dy: number) => p('a', r, r, 0, 0, 1, dx, dy);
  return [
    p('M', x + r, y) + p('h', width - 2 * r) + turn(r, r) + p('v', height - 2 * r) + turn(-r, r),
    `${p('h', 2 * r - width) + turn(-r, -r) + p('v', 2 * r - height) + turn(r, -r)}z`,
  ].join('');
};

export const discPath = (x: number, y: number, r: number): string =>
  `${p('M', x - r, y)}${p('a', r, r, 0, 1, 1, 2 * r, 0)}${p('a', r, r, 0, 1, 1, -2 * r, 0)}z`;

export const ringPath = (corners: readonly Corner[]): string =>
  `${corners.map(([x, y], i) => p(i === 0 ? 'M' : 'L', x, y)).join('')}z`;

export const linePath = (x1: number, y1: number, x2: number, y2: number): string => p('M', x1, y1) + p('L', x2, y2);

/** Numbers from `start` to `end`, evenly in so many parts: the middle of each. */
export const middles = (start: number, end: number, parts: number): number[] =>
  Array.from({ length: parts }, (_, i) => start + ((end - start) * (i + 0.5)) / parts);

/** A picture of an SVG in its own address, which needs no server. */
export const svgAddress = (svg: string): string =>
  `data:image/svg+xml,${encodeURI(svg.replaceAll('"', "'")).replaceAll('%20', ' ').replaceAll('#', '%23')}`;

export class Plan {
  readonly #width: number;
  readonly #height: number;
  readonly #parts: { readonly look: Look; readonly paths: string[] }[] = [];

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Paths above all before them. Those that follow in the same look share an element. */
  add(look: Look, ...paths: readonly string[]): this {
    const last = this.#parts.at(-1);
    if (last?.look === look) last.paths.push(...paths);
    else this.#parts.push({ look, paths: [...paths] });
    return this;
  }

  /** A door in a wall: its opening, its leaf and the way of the leaf. */
  door({ at: [x, y], wall, into, width = 38, isDouble = false }: Door): this {
    const [along, across] = wall === 'horizontal' ? ([1, 0] as const) : ([0, 1] as const);
    this.add('opening', boxPath(along ? [x, y - 1, width, 12] : [x - 1, y, 12, width]));
    const edge = into > 0 ? 10 : 0;
    const leaf = (hinge: number, length: number, sign: 1 | -1) => {
      const [hx, hy] = along ? [x + hinge, y + edge] : [x + edge, y + hinge];
      const [tx, ty] = [hx + across * into * length, hy + along * into * length];
      const [ex, ey] = [hx + along * sign * length, hy + across * sign * length];
      const sweep = (along ? 1 : -1) * sign * into > 0 ? 0 : 1;
      this.add('swing', p('M', tx, ty) + p('A', length, length, 0, 0, sweep, ex, ey));
      this.add('leafOfDoor', linePath(hx, hy, tx, ty));
    };
    leaf(0, isDouble ? width / 2 : width, 1);
    if (isDouble) leaf(width, width / 2, -1);
    return this;
  }

  /** Windows in the outer wall, evenly between two ends. */
  windows(wall: Door['wall'], at: number, from: number, to: number, count: number): this {
    const length = ((to - from) / count) * 0.62;
    for (const middle of middles(from, to, count)) {
      const start = middle - length / 2;
      this.add('glass', boxPath(wall === 'horizontal' ? [start, at + 2, length, 6] : [at + 2, start, 6, length]));
    }
    return this;
  }

  /** A plant in a pot. */
  plant(x: number, y: number, r = 13): this {
    const leaves = [0, 60, 120].map((degrees) => {
      const [dx, dy] = [Math.cos((degrees * Math.PI) / 180) * r * 0.7, Math.sin((degrees * Math.PI) / 180) * r * 0.7];
      return linePath(x - dx, y - dy, x + dx, y + dy);
    });
    return this.add('green', discPath(x, y, r)).add('leaf', ...leaves);
  }

  /** Chairs around a table for that many people, on its long sides. */
  tableFor(seats: number, [x, y, width, height]: Box, look: Look = 'wood'): this {
    const isWide = width >= height;
    const each = Math.ceil(seats / 2);
    const chairs = middles(isWide ? x : y, isWide ? x + width : y + height, each).flatMap((at, i) => {
      const [near, far] = isWide ? [y - 9, y + height + 9] : [x - 9, x + width + 9];
      const place = (side: number) => discPath(isWide ? at : side, isWide ? side : at, 9);
      return i * 2 + 1 < seats ? [place(near), place(far)] : [place(near)];
    });
    return this.add('white', ...chairs).add(look, boxPath([x, y, width, height], 10));
  }

  /** Round tables with chairs around them, in columns and rows. */
  roundTables([x, y, width, height]: Box, columns: number, rows: number, r = 17): this {
    for (const cx of middles(x, x + width, columns))
      for (const cy of middles(y, y + height, rows)) {
        const chairs = [45, 135, 225, 315].map((degrees) => {
          const angle = (degrees * Math.PI) / 180;
          return discPath(cx + Math.cos(angle) * (r + 6), cy + Math.sin(angle) * (r + 6), 7);
        });
        this.add('white', ...chairs).add('wood', discPath(cx, cy, r));
      }
    return this;
  }

  /** A sofa along the upper edge of its box, seen from above. */
  sofa([x, y, width, height]: Box, back: 'top' | 'bottom' | 'left' | 'right' = 'top'): this {
    const t = 9;
    const backs: Record<typeof back, Box> = {
      top: [x, y, width, t],
      bottom: [x, y + height - t, width, t],
      left: [x, y, t, height],
      right: [x + width - t, y, t, height],
    };
    return this.add('grey', boxPath([x, y, width, height], 6), boxPath(backs[back], 4));
  }

  /** Shelves or racks in columns, each with lines across. */
  shelves([x, y, width, height]: Box, columns: number, look: Look = 'grey', depth = 18): this {
    for (const cx of middles(x, x + width, columns)) {
      this.add(look, boxPath([cx - depth / 2, y, depth, height], 2));
      const count = Math.max(2, Math.round(height / 28));
      for (let i = 1; i < count; i++) {
        const at = y + (height * i) / count;
        this.add('line', linePath(cx - depth / 2, at, cx + depth / 2, at));
      }
    }
    return this;
  }

  /** Steps across a flight of stairs. */
  steps([x, y, width, height]: Box, across: 'x' | 'y', pitch = 12): this {
    this.add('grey', boxPath([x, y, width, height], 3));
    const length = across === 'x' ? width : height;
    for (let at = pitch; at < length; at += pitch)
      this.add('line', across === 'x' ? linePath(x + at, y, x + at, y + height) : linePath(x, y + at, x + width, y + at));
    return this;
  }

  get address(): string {
    const { parts, size } = { parts: this.#parts, size: `width="${this.#width}" height="${this.#height}"` };
    const drawn = parts.map(({ look, paths }) => `<path ${looks[look]} d="${paths.join('')}"/>`);
    return svgAddress(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${drawn.join('')}</svg>`);
  }
}

interface Door {
  /** Left or top end of the opening, on the left or upper side of the wall, which is 10 pixels thick. */
  readonly at: Corner;
  readonly wall: 'horizontal' | 'vertical';
  /** The leaf opens to the right or down (1), or to the left or up (-1). */
  readonly into: 1 | -1;
  readonly width?: number;
  readonly isDouble?: boolean;
}
