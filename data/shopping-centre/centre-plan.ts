/**
 * The building of the shopping centre: where its shops are, and the plan below them. A street crosses each floor from west to east, around a round
 * place in its middle; shops at the place have a round front.
 */
import { type Box, boxPath, type Corner, discPath, type Look, linePath, middles, Plan, ringPath } from '../plan.ts';

export const centreSize = { width: 1200, height: 900 } as const;

const [middleX, middleY] = [600, 450];
/** Distance of the fronts from the middle of the street, and of those at the place from its centre. */
const [street, place] = [60, 160];
const reach = Math.sqrt(place ** 2 - street ** 2);

/** A part of a side of the street: its ends, how deep it is, and whether it has a cut corner of the building. */
interface Lot {
  readonly from: number;
  readonly to: number;
  /** The back is the outer wall. */
  readonly isDeep?: boolean;
  readonly cut?: 'left' | 'right';
}

const deep = (from: number, to: number, cut?: 'left' | 'right'): Lot => ({ from, to, isDeep: true, ...(cut && { cut }) });
const lot = (from: number, to: number): Lot => ({ from, to });

/** From west to east, on the north side and on the south side. */
const lots = {
  ground: {
    north: [
      ...[deep(52, 290, 'left'), lot(298, 384), lot(392, 482), lot(490, 596), lot(604, 700), lot(708, 790)],
      ...[deep(798, 960), deep(968, 1148, 'right')],
    ],
    south: [
      ...[deep(52, 226, 'left'), lot(234, 340), lot(348, 436), lot(444, 540), lot(660, 762), lot(770, 856), lot(864, 946)],
      deep(954, 1148, 'right'),
    ],
  },
  upper: {
    north: [
      ...[deep(52, 330, 'left'), lot(338, 424), lot(432, 512), lot(520, 596), lot(604, 680), lot(688, 768), lot(776, 856)],
      deep(864, 1148, 'right'),
    ],
    south: [...[deep(52, 226, 'left'), lot(234, 336), lot(344, 430), lot(438, 596), lot(604, 762), deep(770, 1148, 'right')]],
  },
} as const satisfies Record<string, Record<string, readonly Lot[]>>;

export type Floor = keyof typeof lots;

/** How far the front of a shop is from the middle of the street. */
const frontAt = (x: number): number => (Math.abs(x - middleX) < reach ? Math.sqrt(place ** 2 - (x - middleX) ** 2) : street);

const [back, outerBack] = [282, 388];
const cutCorner = 63;

/** The outline of a lot, from the back. @param side -1 for the north */
function outline({ from, to, isDeep = false, cut }: Lot, side: -1 | 1): Corner[] {
  const depth = isDeep ? outerBack : back;
  const bends = [middleX - reach, middleX + reach].filter((x) => from < x && x < to);
  const steps = Array.from({ length: 40 }, (_, i) => middleX - reach + (2 * reach * i) / 40).filter((x) => from < x && x < to);
  const front = [...new Set([from, ...bends, ...steps, to])].sort((a, b) => b - a).map((x) => [x, frontAt(x)] as const);
  const left =
    cut === 'left'
      ? ([
          [from, depth - cutCorner],
          [from + cutCorner, depth],
        ] as const)
      : ([[from, depth]] as const);
  const right =
    cut === 'right'
      ? ([
          [to - cutCorner, depth],
          [to, depth - cutCorner],
        ] as const)
      : ([[to, depth]] as const);
  return [...left, ...right, ...front].map(([x, d]) => [Math.round(x * 10) / 10, Math.round((middleY + side * d) * 10) / 10]);
}

export interface Place {
  readonly corners: readonly Corner[];
  /** A box in it that is free for furniture. */
  readonly inside: Box;
  readonly side: -1 | 1;
}

/** The places of the shops of a floor, north side first. */
export const placesOf = (floor: Floor): Place[] =>
  (['north', 'south'] as const).flatMap((name) =>
    lots[floor][name].map((each: Lot): Place => {
      const side = name === 'north' ? -1 : 1;
      const near = Math.max(...[each.from, each.to, (each.from + each.to) / 2].map(frontAt)) + 34;
      const far = (each.isDeep ? outerBack : back) - 12;
      const top = side < 0 ? middleY - far : middleY + near;
      const inset = each.cut === undefined ? 14 : 30;
      return {
        corners: outline(each, side),
        inside: [each.from + inset, top, each.to - each.from - 2 * inset, far - near],
        side,
      };
    }),
  );

/** Rooms without visitors, behind the shops that are not deep. */
function serviceBoxes(floor: Floor): Box[] {
  return (['north', 'south'] as const).flatMap((name) => {
    const all: readonly Lot[] = lots[floor][name];
    const shallow = all.filter(({ isDeep }) => !isDeep);
    const [from, to] = [shallow[0]?.from ?? 0, shallow.at(-1)?.to ?? 0];
    const y = name === 'north' ? middleY - outerBack : middleY + back + 8;
    const height = outerBack - back - 8;
    // The way in from the south divides it.
    const isDivided = floor === 'ground' && name === 'south';
    return isDivided
      ? [
          [from, y, 540 - from, height],
          [660, y, to - 660, height],
        ]
      : [[from, y, to - from, height]];
  });
}

export const entrances = { west: [52, 450], east: [1148, 450], south: [600, 822] } as const satisfies Record<string, Corner>;
export const escalatorBoxes: Readonly<Record<'west' | 'east', Box>> = { west: [300, 428, 130, 44], east: [770, 428, 130, 44] };

const building: readonly Corner[] = [
  [40, 122],
  [112, 50],
  [1088, 50],
  [1160, 122],
  [1160, 778],
  [1088, 850],
  [112, 850],
  [40, 778],
];

/** The plan of a floor. @param furnish draws what is in each shop */
export function centrePlan(floor: Floor, furnish: (plan: Plan, place: Place, index: number) => void): string {
  const plan = new Plan(centreSize.width, centreSize.height);
  plan.add('ground', boxPath([0, 0, 1200, 900]));
  if (floor === 'ground') surroundings(plan);
  plan.add('wall', ringPath(building));
  const ways = [boxPath([52, 400, 1096, 100]), discPath(middleX, middleY, 150)];
  if (floor === 'ground') ways.push(boxPath([550, 500, 100, 338]));
  plan.add('hall', ...ways);
  pavement(plan, floor);
  for (const box of serviceBoxes(floor)) service(plan, box);
  const places = placesOf(floor);
  plan.add('floor', ...places.map(({ corners }) => ringPath(corners)));
  for (const [i, each] of places.entries()) furnish(plan, each, i);
  for (const each of places) shopFront(plan, each);
  for (const [x, y] of [entrances.west, entrances.east])
    if (floor === 'ground')
      plan
        .add('opening', boxPath([x < 600 ? 38 : 1148, y - 40, 14, 80]))
        .add('glass', ...[-40, -2, 36].map((dy) => boxPath([x < 600 ? 43 : 1153, y + dy, 4, 6])));
  if (floor === 'ground')
    plan.add('opening', boxPath([562, 838, 76, 14])).add('glass', ...[562, 598, 634].map((x) => boxPath([x, 843, 6, 4])));
  return plan.address;
}

function surroundings(plan: Plan): void {
  plan.add('paving', boxPath([0, 410, 44, 80]), boxPath([1156, 410, 44, 80]), boxPath([550, 848, 100, 52]));
  const trees: Corner[] = [
    [26, 60],
    [70, 26],
    [150, 24],
    [1050, 24],
    [1130, 26],
    [1176, 60],
    [24, 840],
    [70, 876],
    [160, 878],
    [1040, 878],
    [1130, 876],
    [1176, 840],
  ];
  for (const [x, y] of [
    ...trees,
    ...middles(200, 520, 5).map((x): Corner => [x, 876]),
    ...middles(680, 1000, 5).map((x): Corner => [x, 876]),
  ])
    plan.plant(x, y, 13);
}

/** Paving of the street, the place with its fountain or its opening, benches and plants. */
function pavement(plan: Plan, floor: Floor): void {
  plan.add(
    'line',
    ...middles(52, 1148, 34)
      .filter((x) => Math.abs(x - middleX) > 152)
      .map((x) => linePath(x, 400, x, 500)),
  );
  plan.add('line', ...[146, 122].map((r) => discPath(middleX, middleY, r)));
  if (floor === 'ground') {
    plan.add('line', ...middles(600, 838, 7).map((y) => linePath(550, y, 650, y)));
    plan
      .add('grey', discPath(middleX, middleY, 62))
      .add('water', discPath(middleX, middleY, 54))
      .add('white', discPath(middleX, middleY, 12));
    plan.add('wood', ...[45, 135, 225, 315].map((degrees) => bench(degrees, 92)));
  } else {
    plan.add('glass', discPath(middleX, middleY, 92)).add('service', discPath(middleX, middleY, 86));
    plan.add('hall', discPath(middleX, middleY, 58)).add('water', discPath(middleX, middleY, 40));
  }
  for (const x of [130, 230, 480, 720, 970, 1070]) plan.plant(x, 450, 11);
  for (const x of [180, 1020]) plan.add('wood', boxPath([x - 22, 444, 44, 12], 3));
  for (const box of Object.values(escalatorBoxes)) {
    const [x, y, width, height] = box;
    plan.add('grey', boxPath([x - 3, y - 3, width + 6, height + 6], 6));
    plan.steps([x, y, width, height / 2 - 2], 'x', 9).steps([x, y + height / 2 + 2, width, height / 2 - 2], 'x', 9);
  }
}

function bench(degrees: number, distance: number): string {
  const at = (angle: number, r: number): Corner => {
    const radians = ((degrees + angle) * Math.PI) / 180;
    return [middleX + Math.cos(radians) * r, middleY + Math.sin(radians) * r];
  };
  const angles = [-16, -8, 0, 8, 16];
  return ringPath([
    ...angles.map((angle) => at(angle, distance)),
    ...angles.toReversed().map((angle) => at(angle, distance + 11)),
  ]);
}

/** Hatched rooms of the staff. */
function service(plan: Plan, [x, y, width, height]: Box): void {
  plan.add('service', boxPath([x, y, width, height]));
  const hatch = Array.from({ length: Math.floor((width + height - 1) / 14) }, (_, i) => {
    const at = (i + 1) * 14;
    const [from, to] = [Math.max(0, at - height), Math.min(width, at)];
    return linePath(x + from, y + at - from, x + to, y + at - to);
  });
  plan.add('line', ...hatch);
  const parts = Math.max(2, Math.round(width / 110));
  const walls = Array.from({ length: parts - 1 }, (_, i) => x + (width * (i + 1)) / parts);
  plan.add('wall', ...walls.map((at) => boxPath([at - 2, y, 4, height])));
}

/** Glass along the front, with an opening in the middle. */
function shopFront(plan: Plan, { corners, side }: Place): void {
  const isFront = ([, y]: Corner) => side * (y - middleY) < back - 10;
  const front = corners.filter(isFront).map(([x, y]): Corner => [x, y - side * 4]);
  const [first, last] = [front[0], front.at(-1)];
  if (first === undefined || last === undefined) return;
  const width = first[0] - last[0];
  const [open, shut] = [first[0] - width * 0.32, first[0] - width * 0.68];
  const pane = (points: readonly Corner[]) => [...points, ...points.toReversed().map(([x, y]): Corner => [x, y - side * 3])];
  const between = (from: number, to: number) => [
    [from, middleY + side * (frontAt(from) - 4)] as const,
    ...front.filter(([x]) => x < from && x > to),
    [to, middleY + side * (frontAt(to) - 4)] as const,
  ];
  const gap = between(open, shut);
  plan.add(
    'opening',
    ringPath([...gap.map(([x, y]): Corner => [x, y + side * 6]), ...gap.toReversed().map(([x, y]): Corner => [x, y - side * 8])]),
  );
  plan.add('glass', ringPath(pane(between(first[0] - 4, open))), ringPath(pane(between(shut, last[0] + 4))));
}

/** Looks that shops have in common. */
export const furnishings: Readonly<Record<string, (plan: Plan, place: Place) => void>> = {
  aisles(plan, { inside: [x, y, width, height] }) {
    plan.shelves([x, y + 10, width, height - 30], Math.max(2, Math.round(width / 44)), 'white', 16);
  },
  racks(plan, { inside: [x, y, width, height] }) {
    for (const cx of middles(x, x + width, Math.max(2, Math.round(width / 46))))
      for (const cy of middles(y, y + height, Math.max(2, Math.round(height / 56)))) {
        plan.add('white', discPath(cx, cy, 14)).add('line', discPath(cx, cy, 8));
      }
  },
  tables(plan, { inside: [x, y, width, height], side }) {
    const counter = 22;
    plan.add('wood', boxPath([x, side < 0 ? y : y + height - counter, width, counter - 4], 4));
    const box: Box = [x, side < 0 ? y + counter : y, width, height - counter];
    plan.roundTables(box, Math.max(1, Math.round(width / 56)), Math.max(1, Math.round(box[3] / 58)), 12);
  },
  seats(plan, { inside: [x, y, width, height] }) {
    const half = width / 2 - 6;
    for (const left of [x, x + half + 12]) {
      plan.add('dark', boxPath([left + 8, y + 4, half - 16, 6], 2));
      const seats = middles(y + 34, y + height - 10, 9).flatMap((cy) =>
        middles(left, left + half, 6).map((cx) => boxPath([cx - 6, cy - 5, 12, 10], 4)),
      );
      plan.add('white', ...seats);
    }
  },
  gym(plan, { inside: [x, y, width, height] }) {
    const machine: Look = 'grey';
    for (const cx of middles(x, x + width * 0.6, 4))
      plan.add(machine, boxPath([cx - 9, y + 14, 18, 48], 4), boxPath([cx - 9, y + 78, 18, 48], 4));
    plan
      .add('rug', boxPath([x + width * 0.66, y + 12, width * 0.32, height * 0.5], 8))
      .add('water', boxPath([x, y + height - 76, width * 0.56, 60], 10));
    plan.add('wood', boxPath([x + width * 0.66, y + height - 70, width * 0.32, 40], 6));
  },
  rooms(plan, { inside: [x, y, width, height] }) {
    const rows = Math.max(2, Math.round(height / 70));
    for (const cy of middles(y, y + height, rows)) plan.tableFor(2, [x + width / 2 - 22, cy - 10, 44, 20]);
  },
  counter(plan, { inside: [x, y, width, height], side }) {
    plan.add('white', boxPath([x, y, 12, height], 2), boxPath([x + width - 12, y, 12, height], 2));
    plan.add('wood', boxPath([x + 22, side < 0 ? y + 26 : y + height - 44, width - 44, 18], 4));
  },
  beds(plan, { inside: [x, y, width, height] }) {
    for (const cy of middles(y, y + height, 3))
      plan.sofa([x + 8, cy - 22, 60, 34]).add('wood', boxPath([x + width - 60, cy - 18, 46, 30], 4));
  },
};
