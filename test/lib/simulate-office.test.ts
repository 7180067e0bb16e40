// tier: normal
/** The simulated sensors of the office. */
import t from 'tap';
import { cornersOf, deskPlaces, type OfficeRoom, officeFloors, simulateOffice } from '../../src/lib/simulate-office.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Responses {
  readonly Occupancy: {
    readonly totals: { readonly taken: number; readonly people: number };
    readonly rooms: readonly { readonly name: string; readonly seats: number; readonly taken: number }[];
    readonly desks: readonly (Point & { readonly id: string; readonly room: string })[];
  };
  readonly Visitors: {
    readonly visitors: readonly { readonly id: string; readonly position: Point; readonly allowed: readonly Point[] }[];
  };
  readonly Safety: {
    readonly evacuation: boolean;
    readonly outside: number;
    readonly routes: readonly { readonly floor: string; readonly open: boolean; readonly coords: readonly Point[] }[];
  };
}

const at = (seconds: number): Responses => simulateOffice(seconds) as unknown as Responses;
const seconds = Array.from({ length: 601 }, (_, i) => i / 2);
const rooms: ReadonlyMap<string, OfficeRoom> = new Map(
  officeFloors.flatMap((floor) => floor.rooms).map((room) => [room.name, room]),
);

t.test('a simulated office says the same at the same second', async (t) => {
  for (const second of [0, 17.25, 95, 1_234_567]) t.strictSame(simulateOffice(second), simulateOffice(second));
});

t.test('every room of the simulated office has at most as many people as seats', async (t) => {
  const wrong = seconds.flatMap((second) =>
    at(second).Occupancy.rooms.filter(({ seats, taken }) => !Number.isInteger(taken) || taken < 0 || taken > seats),
  );
  t.strictSame(wrong, []);
});

t.test('people of the simulated office sit at the desks of the plan, each at a desk of their own', async (t) => {
  const places = new Set([...rooms.values()].flatMap((room) => deskPlaces(room).map(({ x, y }) => `${room.name} ${x} ${y}`)));
  for (const second of seconds) {
    const { desks, totals } = at(second).Occupancy;
    t.equal(new Set(desks.map(({ id }) => id)).size, totals.taken);
    t.ok(desks.every(({ room, x, y }) => places.has(`${room} ${x} ${y}`)));
  }
});

t.test('simulated visitors keep their identifier and walk without jumps', async (t) => {
  let before = new Map<string, Point>();
  for (const second of seconds.filter((each) => each < 120)) {
    const now = new Map(at(second).Visitors.visitors.map(({ id, position }) => [id, position]));
    for (const [id, position] of now) {
      const last = before.get(id);
      if (last) t.ok(Math.hypot(position.x - last.x, position.y - last.y) < 100, `${id} at ${second}`);
    }
    before = now;
  }
  t.ok(at(60).Visitors.visitors.length >= 6);
});

t.test('the simulated office is evacuated once in two minutes, until everybody is outside', async (t) => {
  const alarms = seconds.filter((second, i) => i > 0 && at(second).Safety.evacuation && !at(second - 0.5).Safety.evacuation);
  t.strictSame(alarms, [80, 200]);
  const { Occupancy, Visitors, Safety } = at(119);
  t.strictSame([Occupancy.totals.people, Visitors.visitors, at(60).Safety.outside], [0, [], 0]);
  t.ok(Safety.outside > 100);
});

t.test(
  'one way out of each floor is open in the simulated office, another one of the first floor in the next evacuation',
  async (t) => {
    const open = (second: number) => at(second).Safety.routes.filter((route) => route.open);
    for (const second of [90, 210])
      t.strictSame(
        open(second).map(({ floor }) => floor),
        officeFloors.map(({ name }) => name),
      );
    t.notSame(open(90)[1], open(210)[1]);
  },
);

t.test('an area of a simulated visitor is a room of the ground floor', async (t) => {
  const areas = officeFloors[0]?.rooms.map((room) => JSON.stringify(cornersOf(room))) ?? [];
  for (const { allowed } of at(50).Visitors.visitors) t.ok(areas.includes(JSON.stringify(allowed)));
});
