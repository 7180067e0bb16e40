/** The plans of the office: what is drawn below its rooms on each floor, and the site around the building. */
import { deskPlaces, type OfficeFloor, type OfficeRoom } from '../src/lib/simulate-office.ts';
import { type Box, boxPath, discPath, type Look, linePath, middles, Plan, ringPath } from './plan.ts';

export const officeSize = { width: 1200, height: 800 } as const;

/** Places of the stairs on each floor, and of the mat at the entrance. */
export const stairsUp: Box = [400, 430, 120, 90];
export const stairsDown: Box = [400, 560, 120, 90];
export const wayOut: Box = [410, 690, 100, 62];

const boxOf = ({ x, y, width, height }: OfficeRoom): Box => [x, y, width, height];

/** Desks in pairs of rows, back to back; the chairs are objects. */
function desks(plan: Plan, room: OfficeRoom): void {
  const [columns, rows] = room.desks ?? [0, 0];
  const [across, down] = [room.width / columns, room.height / rows];
  const [width, depth] = [Math.min(70, across - 6), Math.min(28, down / 2 - 6)];
  deskPlaces(room).forEach(({ x, y }, i) => {
    const isAbove = Math.floor(i / columns) % 2 === 1;
    const top = isAbove ? y - down / 2 : y + down / 2 - depth;
    plan.add('white', boxPath([x - width / 2, top, width, depth], 3));
    plan.add('dark', boxPath([x - 11, isAbove ? top + 4 : top + depth - 8, 22, 4], 1));
  });
}

/** Furniture of each room that has no desks. */
const furniture: Readonly<Record<string, (plan: Plan) => void>> = {
  Reception(plan) {
    plan.add('rug', boxPath([60, 150, 130, 150], 10));
    plan.sofa([70, 160, 36, 130], 'left').sofa([110, 256, 70, 34], 'bottom');
    plan.add('wood', discPath(146, 205, 22));
    plan.add('wood', 'M230 70h90v150h-34v-116h-56z').add('grey', discPath(262, 128, 10), discPath(262, 162, 10));
    plan.plant(62, 62).plant(330, 320).plant(62, 320);
  },
  Auditorium(plan) {
    plan.add('rug', boxPath([380, 50, 430, 60], 6));
    plan.add('dark', boxPath([480, 44, 230, 6], 2)).add('wood', boxPath([410, 66, 34, 26], 4));
    const seats = Array.from({ length: 10 }, (_, row) =>
      [...middles(390, 575, 6), ...middles(615, 800, 6)].map((x) => boxPath([x - 12, 122 + row * 21, 24, 14], 5)),
    );
    plan.add('white', ...seats.flat());
  },
  Café(plan) {
    plan.add('wood', boxPath([850, 50, 300, 26], 5)).add('grey', boxPath([868, 55, 40, 16], 3), boxPath([920, 55, 24, 16], 3));
    plan.add('white', ...middles(960, 1140, 6).map((x) => discPath(x, 90, 8)));
    plan.roundTables([850, 110, 300, 220], 5, 3);
  },
  Workshop(plan) {
    plan.add('wood', boxPath([60, 436, 240, 30], 3), boxPath([70, 536, 100, 34], 3), boxPath([200, 536, 100, 34], 3));
    plan.add('grey', boxPath([310, 440, 38, 38], 4), boxPath([84, 442, 40, 18], 2), boxPath([150, 442, 26, 18], 2));
    plan.add('white', discPath(110, 520, 10), discPath(240, 520, 10));
  },
  'Post room'(plan) {
    plan.shelves([50, 612, 26, 136], 1, 'grey', 22).shelves([96, 612, 200, 20], 1, 'grey', 190);
    plan.add('wood', boxPath([130, 676, 150, 44], 4)).add('white', discPath(205, 662, 9));
    plan.add('white', boxPath([146, 686, 26, 20], 1), boxPath([184, 684, 34, 26], 1), boxPath([232, 690, 22, 16], 1));
  },
  Mercator: (plan) => void plan.tableFor(8, [700, 100, 60, 180]).add('dark', boxPath([690, 44, 80, 5], 2)),
  Ortelius: (plan) => void plan.tableFor(8, [870, 100, 60, 180]).add('dark', boxPath([860, 44, 80, 5], 2)),
  Waldseemüller: (plan) => void plan.tableFor(14, [1040, 90, 70, 210]).add('dark', boxPath([1030, 44, 90, 5], 2)),
  'Phone box 1': (plan) => void plan.add('wood', boxPath([50, 496, 135, 34], 3)).add('white', discPath(118, 482, 11)),
  'Phone box 2': (plan) => void plan.add('wood', boxPath([215, 496, 135, 34], 3)).add('white', discPath(282, 482, 11)),
  Kitchen(plan) {
    plan.add('white', 'M50 560h250v30h-220v160h-30z');
    plan.add('grey', boxPath([110, 564, 46, 22], 4), boxPath([200, 564, 34, 22], 2), boxPath([54, 640, 22, 40], 4));
    plan.tableFor(10, [150, 660, 160, 54]);
  },
  'Board room'(plan) {
    plan.add('rug', boxPath([90, 80, 370, 220], 14)).tableFor(22, [120, 140, 310, 96]);
    plan.add('white', discPath(106, 188, 10), discPath(444, 188, 10)).add('dark', boxPath([46, 130, 5, 120], 2));
    plan.plant(64, 64).plant(486, 64);
  },
  Archive: (plan) => void plan.shelves([50, 432, 250, 100], 7).add('wood', boxPath([60, 546, 90, 26], 3)),
  'Server room'(plan) {
    for (const y of [618, 694])
      for (const x of middles(56, 300, 8))
        plan.add('dark', boxPath([x - 13, y, 26, 44], 2)).add('green', discPath(x, y + 8, 2), discPath(x, y + 16, 2));
  },
  'Roof terrace'(plan) {
    plan.add('joint', ...middles(420, 760, 16).map((y) => linePath(560, y, 1160, y)));
    plan.add('green', boxPath([570, 722, 580, 28], 10), boxPath([1122, 432, 28, 270], 10));
    plan.roundTables([590, 440, 300, 250], 3, 2, 20);
    for (const x of [930, 990, 1050]) plan.add('white', boxPath([x, 470, 36, 96], 8)).add('grey', boxPath([x, 470, 36, 28], 8));
    plan
      .add('water', discPath(1010, 646, 34))
      .plant(940, 690)
      .plant(1090, 690);
  },
};

/** Where a room is entered. */
const doors: Readonly<Record<string, Parameters<Plan['door']>[0]>> = {
  Reception: { at: [172, 340], wall: 'horizontal', into: -1, width: 56, isDouble: true },
  Auditorium: { at: [565, 340], wall: 'horizontal', into: -1, width: 60, isDouble: true },
  Café: { at: [970, 340], wall: 'horizontal', into: -1, width: 60, isDouble: true },
  Workshop: { at: [360, 486], wall: 'vertical', into: -1 },
  'Post room': { at: [360, 660], wall: 'vertical', into: -1 },
  Support: { at: [550, 568], wall: 'vertical', into: 1, width: 44 },
  Engineering: { at: [320, 340], wall: 'horizontal', into: -1, width: 44 },
  Mercator: { at: [660, 340], wall: 'horizontal', into: -1 },
  Ortelius: { at: [830, 340], wall: 'horizontal', into: -1 },
  Waldseemüller: { at: [1000, 340], wall: 'horizontal', into: -1 },
  'Phone box 1': { at: [145, 410], wall: 'horizontal', into: 1 },
  'Phone box 2': { at: [215, 410], wall: 'horizontal', into: 1 },
  Kitchen: { at: [360, 600], wall: 'vertical', into: -1 },
  Design: { at: [550, 568], wall: 'vertical', into: 1, width: 44 },
  'Board room': { at: [440, 340], wall: 'horizontal', into: -1, width: 56, isDouble: true },
  Finance: { at: [600, 340], wall: 'horizontal', into: -1, width: 44 },
  Archive: { at: [360, 470], wall: 'vertical', into: -1 },
  'Server room': { at: [360, 650], wall: 'vertical', into: -1 },
  'Roof terrace': { at: [550, 560], wall: 'vertical', into: 1, width: 60, isDouble: true },
};

const floorOf = ({ kind, name }: OfficeRoom): Look => {
  if (name === 'Roof terrace') return 'deck';
  if (name === 'Café' || name === 'Kitchen') return 'tiles';
  return kind === 'meeting' ? 'timber' : kind === 'open' ? 'carpet' : kind === 'lab' ? 'service' : 'floor';
};

/** The plan of a floor: that on the ground has an entrance and no stairs down. */
export function floorPlanOf({ rooms }: OfficeFloor, { isGround, isTop }: { isGround: boolean; isTop: boolean }): string {
  const plan = new Plan(officeSize.width, officeSize.height);
  plan.add('ground', boxPath([0, 0, 1200, 800])).add('wall', boxPath([30, 30, 1140, 740]));
  plan.add('hall', boxPath([40, 350, 1120, 60]), boxPath([370, 350, 180, 410]));
  for (const room of rooms) plan.add(floorOf(room), boxPath(boxOf(room)));
  for (const room of rooms) {
    furniture[room.name]?.(plan);
    desks(plan, room);
  }
  for (const wall of [30, 760]) {
    plan.windows('horizontal', wall, 50, 350, 4);
    plan.windows('horizontal', wall, 570, 1150, 7);
  }
  plan.windows('horizontal', 30, 370, 560, 3);
  for (const wall of [30, 1160]) for (const from of [50, 430]) plan.windows('vertical', wall, from, from + 290, 4);
  for (const room of rooms) {
    const door = doors[room.name];
    if (door !== undefined) plan.door(door);
  }
  if (isGround) plan.door({ at: [425, 760], wall: 'horizontal', into: -1, width: 70, isDouble: true });
  else plan.steps(stairsDown, 'x');
  if (!isTop) plan.steps(stairsUp, 'x');
  return plan.plant(58, 380, 10).plant(1142, 380, 10).address;
}

/** The building in its garden, with the street, the car park and trees. */
export function sitePlan(): string {
  const plan = new Plan(officeSize.width, officeSize.height);
  plan.add('lawn', boxPath([0, 0, 1200, 800]));
  plan.add('paving', boxPath([0, 690, 1200, 80]), boxPath([500, 560, 90, 140]), boxPath([940, 120, 230, 570]));
  plan.add('line', ...middles(10, 1190, 20).map((x) => linePath(x - 16, 730, x + 16, 730)));
  plan.add('white', ...[150, 350, 452].flatMap((y) => middles(950, 1160, 7).map((x) => boxPath([x - 0.5, y, 1, 90]))));
  const cars: readonly [x: number, y: number, look: Look][] = [
    [965, 160, 'water'],
    [1025, 160, 'grey'],
    [1115, 160, 'white'],
    [995, 360, 'white'],
    [1055, 360, 'water'],
    [1085, 462, 'grey'],
    [965, 462, 'grey'],
  ];
  for (const [x, y, look] of cars)
    plan.add(look, boxPath([x - 11, y, 22, 62], 8)).add('glass', boxPath([x - 9, y + 14, 18, 10], 3));
  plan.add('water', 'M80 180C110 120 210 130 226 190 240 250 190 300 140 290 90 282 56 232 80 180z');
  const trees = [
    [60, 80],
    [150, 70],
    [250, 90],
    [60, 360],
    [120, 420],
    [250, 420],
    [60, 520],
    [170, 540],
    [80, 630],
    [240, 630],
    [360, 620],
    [440, 640],
    [660, 630],
    [760, 620],
    [860, 640],
    [400, 80],
    [520, 70],
    [680, 90],
    [800, 70],
    [1120, 640],
    [980, 60],
    [1100, 60],
  ] as const;
  for (const [i, [x, y]] of trees.entries()) plan.plant(x, y, 20 + ((i * 7) % 9));
  plan.add(
    'wall',
    ringPath([
      [302, 162],
      [902, 162],
      [902, 562],
      [302, 562],
    ]),
  );
  plan.add('service', boxPath([308, 168, 588, 388]));
  plan.add('line', ...middles(308, 896, 12).map((x) => linePath(x, 168, x, 556)));
  for (const y of [200, 290]) for (const x of middles(340, 620, 5)) plan.add('glass', boxPath([x - 22, y, 44, 66], 2));
  plan.add('deck', boxPath([580, 372, 304, 172])).add('green', boxPath([590, 520, 284, 14], 6));
  plan.add('grey', boxPath([700, 200, 60, 44], 3), boxPath([780, 200, 60, 44], 3), boxPath([700, 262, 140, 50], 3));
  return plan.add('floor', boxPath([500, 548, 90, 20], 4)).address;
}
