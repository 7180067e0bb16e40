/**
 * The office of data/examples: its plan, and what its sensors would say. People come, sit, meet and walk; in the last third of every
 * second minute they leave the building. Pure, and without imports, because `mapwright demo --live` and the console push it.
 */

/** A room of a floor: its name, its corner and its size in pixels (40 to the metre), its seats. */
export interface OfficeRoom {
  readonly name: string;
  readonly kind: 'meeting' | 'open' | 'service' | 'lab';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly seats: number;
  /** Columns and rows of desks, evenly over the room. */
  readonly desks?: readonly [columns: number, rows: number];
}

export interface OfficeFloor {
  readonly name: string;
  readonly rooms: readonly OfficeRoom[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * From the ground up, with walls of 10 pixels between rooms. On every floor a corridor from y 350 to 410 crosses the building, and a hall from
 * x 370 to 550 with the stairs leads down from it.
 */
export const officeFloors: readonly OfficeFloor[] = [
  {
    name: 'Ground floor',
    rooms: [
      { name: 'Reception', kind: 'service', x: 40, y: 40, width: 310, height: 300, seats: 4 },
      { name: 'Auditorium', kind: 'meeting', x: 360, y: 40, width: 470, height: 300, seats: 120 },
      { name: 'Café', kind: 'service', x: 840, y: 40, width: 320, height: 300, seats: 60 },
      { name: 'Workshop', kind: 'lab', x: 40, y: 420, width: 320, height: 170, seats: 12 },
      { name: 'Post room', kind: 'service', x: 40, y: 600, width: 320, height: 160, seats: 2 },
      { name: 'Support', kind: 'open', x: 560, y: 420, width: 600, height: 340, seats: 24, desks: [6, 4] },
    ],
  },
  {
    name: 'First floor',
    rooms: [
      { name: 'Engineering', kind: 'open', x: 40, y: 40, width: 600, height: 300, seats: 48, desks: [12, 4] },
      { name: 'Mercator', kind: 'meeting', x: 650, y: 40, width: 160, height: 300, seats: 8 },
      { name: 'Ortelius', kind: 'meeting', x: 820, y: 40, width: 160, height: 300, seats: 8 },
      { name: 'Waldseemüller', kind: 'meeting', x: 990, y: 40, width: 170, height: 300, seats: 14 },
      { name: 'Phone box 1', kind: 'meeting', x: 40, y: 420, width: 155, height: 120, seats: 1 },
      { name: 'Phone box 2', kind: 'meeting', x: 205, y: 420, width: 155, height: 120, seats: 1 },
      { name: 'Kitchen', kind: 'service', x: 40, y: 550, width: 320, height: 210, seats: 10 },
      { name: 'Design', kind: 'open', x: 560, y: 420, width: 600, height: 340, seats: 20, desks: [5, 4] },
    ],
  },
  {
    name: 'Second floor',
    rooms: [
      { name: 'Board room', kind: 'meeting', x: 40, y: 40, width: 470, height: 300, seats: 24 },
      { name: 'Finance', kind: 'open', x: 520, y: 40, width: 640, height: 300, seats: 18, desks: [6, 3] },
      { name: 'Archive', kind: 'service', x: 40, y: 420, width: 320, height: 160, seats: 0 },
      { name: 'Server room', kind: 'lab', x: 40, y: 590, width: 320, height: 170, seats: 0 },
      { name: 'Roof terrace', kind: 'service', x: 560, y: 420, width: 600, height: 340, seats: 40 },
    ],
  },
];

/** Places of the desks of a room, row by row. */
export function deskPlaces({ x, y, width, height, desks: [columns, rows] = [0, 0] }: OfficeRoom): Point[] {
  return Array.from({ length: columns * rows }, (_, i) => ({
    x: x + Math.round((width * ((i % columns) + 0.5)) / columns),
    y: y + Math.round((height * (Math.floor(i / columns) + 0.5)) / rows),
  }));
}

/** The corners of a room or another rectangle. */
export const cornersOf = ({ x, y, width, height }: Point & { readonly width: number; readonly height: number }): Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

/** Seconds of one round: people come at its beginning, and an evacuation ends it. */
const roundS = 120;
const alarmS = 80;
const comeS = 15;
const leaveS = 25;

/** The room that each visitor goes to, whom they meet, and the way there from the entrance. */
const visits: readonly { readonly room: string; readonly host: string; readonly way: readonly Point[] }[] = [
  { room: 'Reception', host: 'Grace', way: path(460, 720, 385, 720, 385, 380, 200, 380, 200, 190) },
  { room: 'Auditorium', host: 'Alan', way: path(460, 720, 535, 720, 535, 380, 595, 380, 595, 180) },
  { room: 'Café', host: 'Edsger', way: path(460, 720, 535, 720, 535, 380, 1000, 380, 1000, 190) },
  { room: 'Workshop', host: 'Hedy', way: path(460, 720, 385, 720, 385, 505, 200, 505) },
  { room: 'Support', host: 'Barbara', way: path(460, 720, 535, 720, 535, 590, 760, 590) },
  { room: 'Auditorium', host: 'Katherine', way: path(460, 720, 535, 720, 535, 380, 595, 380, 595, 240) },
  { room: 'Café', host: 'Donald', way: path(460, 720, 535, 720, 535, 380, 1000, 380, 1000, 250) },
  { room: 'Support', host: 'Frances', way: path(460, 720, 535, 720, 535, 590, 860, 590) },
];
const guests = ['Ada', 'Blaise', 'Carla', 'David', 'Emmy', 'Felix', 'Gerta', 'Hugo', 'Ines', 'Jonas', 'Klara', 'Leonhard'];
const walkingPixelsPerS = 70;
const runningPixelsPerS = 110;
/** Seconds between two arrivals. */
const arrivalS = 5;

/** Meetings of the rooms that can be booked, one after the other; a room is free where its title is empty. */
const meetings: Readonly<Record<string, readonly string[]>> = {
  Mercator: ['Projections', '', 'Tile review', 'Interview'],
  Ortelius: ['', 'Atlas planning', ''],
  Waldseemüller: ['Naming things', 'Sprint review', '', ''],
  'Board room': ['Budget', '', 'Board meeting'],
};
const meetingS = 20;

/** Ways out of each floor, of which the first one that is open is shown; the first floor has two, which are closed in turn. */
const exits: readonly { readonly floor: string; readonly name: string; readonly way: readonly Point[] }[] = [
  { floor: 'Ground floor', name: 'along the auditorium', way: path(1140, 380, 535, 380, 535, 620, 460, 620, 460, 690) },
  { floor: 'First floor', name: 'along the meeting rooms', way: path(1140, 380, 535, 380, 535, 605, 500, 605) },
  { floor: 'First floor', name: 'along the kitchen', way: path(60, 380, 385, 380, 385, 605, 420, 605) },
  { floor: 'Second floor', name: 'along the terrace', way: path(1140, 380, 535, 380, 535, 605, 500, 605) },
];

function path(...numbers: number[]): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    x: numbers[2 * i] as number,
    y: numbers[2 * i + 1] as number,
  }));
}

/**
 * The newest responses of the office's data sources, by the name of the source.
 * @param seconds since the simulation began; the same number gives the same responses
 */
export function simulateOffice(seconds: number): Readonly<Record<'Occupancy' | 'Bookings' | 'Visitors' | 'Safety', unknown>> {
  const round = Math.floor(seconds / roundS);
  const second = seconds - round * roundS;
  const evacuation = second >= alarmS;
  const rooms = officeFloors.flatMap((floor) =>
    floor.rooms.map((room, i) => ({ floor: floor.name, room, taken: takenOf(room, seconds, second, i) })),
  );
  const desks = rooms.flatMap(({ floor, room, taken }) => takenDesks(floor, room, taken));
  const walking = visits.flatMap((_, i) => visitorAt(i, round, second));
  const inside = rooms.reduce((sum, { taken }) => sum + taken, 0) + walking.length;
  const fullHouse = officeFloors.flatMap((floor) =>
    floor.rooms.map((room, i) => takenOf(room, round * roundS + alarmS, alarmS, i)),
  );
  const expected = fullHouse.reduce((sum, taken) => sum + taken, 0) + visits.length;
  return {
    Occupancy: {
      totals: { taken: desks.length, people: inside },
      rooms: rooms.map(({ floor, room, taken }) => ({ name: room.name, floor, seats: room.seats, taken })),
      desks,
    },
    Bookings: { rooms: Object.entries(meetings).map(([room, titles]) => bookingOf(room, titles, seconds)) },
    Visitors: { visitors: walking },
    Safety: {
      evacuation,
      outside: evacuation ? Math.max(0, expected - inside) : 0,
      routes: exits.map(({ floor, name, way }, i) => ({
        name,
        floor,
        open: floor !== 'First floor' || i % 2 === Math.abs(round + 1) % 2,
        coords: arrow(way),
      })),
    },
  };
}

/** People in a room: a wave of its own, less those who have not come yet or are gone. */
function takenOf({ name, seats }: OfficeRoom, seconds: number, second: number, order: number): number {
  const wave = 0.6 + 0.4 * Math.sin((2 * Math.PI * seconds) / (34 + 9 * order) + name.length);
  const here = second > alarmS ? 1 - (second - alarmS) / leaveS : second / comeS;
  return Math.round(seats * wave * Math.min(1, Math.max(0, here)));
}

/** The desks that are taken. The order in which a room fills up is fixed, so that a person stays at a desk. */
function takenDesks(floor: string, room: OfficeRoom, taken: number): unknown[] {
  const places = deskPlaces(room);
  return places.flatMap(({ x, y }, i) =>
    // 7 has no common factor with a number of desks, so this visits each place once.
    (i * 7) % places.length < taken ? [{ id: `${room.name} ${i + 1}`, room: room.name, floor, x, y }] : [],
  );
}

/** A visitor inside the building, or nothing: walks to a room, stays there, leaves at the alarm. */
function visitorAt(i: number, round: number, second: number): unknown[] {
  const { room, host, way } = visits[i] as (typeof visits)[number];
  const walkedS = second - i * arrivalS;
  if (walkedS < 0) return [];
  const left = Math.max(0, second - alarmS) * runningPixelsPerS;
  const length = lengthOf(way);
  const walked = Math.min(length, (Math.min(second, alarmS) - i * arrivalS) * walkingPixelsPerS) - left;
  if (walked < 0) return [];
  const at = pointAlong(way, walked);
  // Who has arrived looks around.
  const around = walked === length ? 40 * Math.sin((walkedS - length / walkingPixelsPerS) / 3) : 0;
  const guest = (((round * visits.length + i) % guests.length) + guests.length) % guests.length;
  const place = officeFloors[0]?.rooms.find(({ name }) => name === room) as OfficeRoom;
  return [
    {
      id: `badge-${guest + 1}`,
      name: guests[guest],
      host,
      room,
      position: { x: Math.round(at.x + around), y: Math.round(at.y) },
      allowed: cornersOf(place),
    },
  ];
}

function bookingOf(room: string, titles: readonly string[], seconds: number): unknown {
  const slot = Math.floor(seconds / meetingS);
  const title = titles[((slot % titles.length) + titles.length) % titles.length];
  return { room, title, seconds_left: Math.ceil((slot + 1) * meetingS - seconds) };
}

const distance = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);

const lengthOf = (way: readonly Point[]): number =>
  way.reduce((sum, point, i) => (i === 0 ? 0 : sum + distance(way[i - 1] as Point, point)), 0);

/** The point of a way after a number of pixels, at most its end. */
function pointAlong(way: readonly Point[], pixels: number): Point {
  let left = pixels;
  for (let i = 1; i < way.length; i++) {
    const [from, to] = [way[i - 1] as Point, way[i] as Point];
    const length = distance(from, to);
    if (left <= length) {
      const share = length === 0 ? 0 : left / length;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    left -= length;
  }
  return way.at(-1) as Point;
}

const halfWidth = 5;
const headLength = 16;
const headHalfWidth = 9;

/** The outline of an arrow along a way of horizontal and vertical lines: an object has vertices, and no width of a line. */
function arrow(way: readonly Point[]): Point[] {
  const [before, tip] = way.slice(-2) as [Point, Point];
  const length = distance(before, tip);
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const neck = { x: tip.x - dx * headLength, y: tip.y - dy * headLength };
  const line = [...way.slice(0, -1), neck];
  const side = (sign: 1 | -1): Point[] => line.map((point, i) => offset(line, i, point, sign * halfWidth));
  const wing = (sign: 1 | -1): Point => ({ x: neck.x - dy * sign * headHalfWidth, y: neck.y + dx * sign * headHalfWidth });
  return [...side(1), wing(1), tip, wing(-1), ...side(-1).reverse()];
}

/** A vertex moved sideways, at a corner along both lines. */
function offset(line: readonly Point[], i: number, point: Point, pixels: number): Point {
  const normals = [
    [i - 1, i],
    [i, i + 1],
  ].flatMap(([a = 0, b = 0]) => {
    const [from, to] = [line[a], line[b]];
    if (from === undefined || to === undefined) return [];
    const length = distance(from, to);
    return length === 0 ? [] : [{ x: -(to.y - from.y) / length, y: (to.x - from.x) / length }];
  });
  const [first, second] = normals;
  const straight = first !== undefined && second !== undefined && first.x === second.x && first.y === second.y;
  const moved = straight ? [first] : normals;
  return moved.reduce((at, normal) => ({ x: at.x + normal.x * pixels, y: at.y + normal.y * pixels }), point);
}
