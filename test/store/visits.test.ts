/** Visits as a project stores them: days, places, and what is refused. */
import t from 'tap';
import { pack, RecordFormatError } from '../../src/model/stored.ts';
import {
  addVisits,
  checkedVisits,
  type DayVisits,
  dateOf,
  dayOf,
  daysIn,
  noVisits,
  placesPerDayMax,
  visitDaysMax,
  visitsRow,
  withDays,
} from '../../src/store/visits.ts';

const id = (n: number): string => `019b76da-a800-7000-8000-${String(n).padStart(12, '0')}`;
const dayWith = (day: number, places: readonly [string, number][] = [], opened = 1): DayVisits => ({
  ...noVisits(day),
  opened,
  places: new Map(places),
});

t.test('days are stored in ascending order, and replaced by later ones', async (t) => {
  const first = withDays(undefined, [dayWith(20_002), dayWith(20_000, [[id(1), 7]])]);
  t.strictSame(daysIn(first), [dayWith(20_000, [[id(1), 7]]), dayWith(20_002)]);
  const second = withDays(first, [dayWith(20_000, [[id(2), 1]], 9), dayWith(20_001)]);
  t.strictSame(daysIn(second), [dayWith(20_000, [[id(2), 1]], 9), dayWith(20_001), dayWith(20_002)]);
  t.strictSame(daysIn(second, 20_001, 20_001), [dayWith(20_001)], 'some of them');
  t.strictSame(daysIn(undefined), []);
  t.strictSame(checkedVisits(second), new Uint8Array(second), 'they verify');
});

t.test('the newest 400 days are kept', async (t) => {
  let visits: Uint8Array | undefined;
  for (let day = 20_000; day < 20_000 + visitDaysMax; day++) visits = withDays(visits, [dayWith(day)]);
  t.equal(daysIn(visits).length, visitDaysMax);
  const later = daysIn(withDays(visits, [dayWith(20_000 + visitDaysMax)]));
  t.strictSame([later.length, later[0]?.day], [visitDaysMax, 20_001], 'the oldest one is forgotten');
  t.strictSame(daysIn(withDays(visits, [dayWith(30_000)])).length, 1, 'all of them after a long time');
  t.strictSame(daysIn(withDays(withDays(undefined, [dayWith(30_000)]), [dayWith(20_000)])).length, 1, 'a clock that was wrong');
});

t.test('a day has at most 100 places, and counts further ones together', async (t) => {
  const full = Array.from({ length: placesPerDayMax }, (_, i): [string, number] => [id(i), 1]);
  const sum = addVisits(
    dayWith(5, full),
    dayWith(5, [
      [id(0), 4],
      [id(500), 3],
    ]),
  );
  t.equal(sum.places.size, placesPerDayMax);
  t.strictSame([sum.opened, sum.places.get(id(0)), sum.places.get(id(500)), sum.other], [2, 5, undefined, 3]);
  t.strictSame(daysIn(withDays(undefined, [sum])), [sum], 'stored whole');
});

t.test('days are those of UTC', async (t) => {
  t.equal(dateOf(dayOf(Date.parse('2026-11-30T23:59:59.999Z'))), '2026-11-30');
  t.equal(dateOf(dayOf(Date.parse('2026-12-01T00:00:00Z'))), '2026-12-01');
});

t.test('only what this program wrote is read', async (t) => {
  const row = visitsRow(dayWith(20_000, [[id(1), 7]]));
  const bad: Record<string, unknown> = {
    'a day twice': [20_000, pack(row), 20_000, pack(row)],
    'no order': [20_001, pack(visitsRow(dayWith(20_001))), 20_000, pack(row)],
    'another day in the row': [20_001, pack(row)],
    'a day without a row': [20_000],
    'a negative count': [20_000, pack(row.with(1, -1))],
    'a cut identifier': [20_000, pack(row.with(4, Buffer.alloc(15)))],
    'a place twice': [20_000, pack(row.with(4, Buffer.alloc(32)).with(5, [1, 2]))],
    'too many places': [
      20_000,
      pack(
        row.with(4, Buffer.alloc(16 * 101)).with(
          5,
          Array.from({ length: 101 }, () => 1),
        ),
      ),
    ],
    'too many days': Array.from({ length: visitDaysMax + 1 }, (_, i) => [i, pack(visitsRow(dayWith(i)))]).flat(),
  };
  for (const [what, items] of Object.entries(bad)) t.throws(() => checkedVisits(pack(items)), RecordFormatError, what);
});
