// tier: normal
/** Which versions are kept, by age: the promise of docs/versions.md, for any versions and at any times. */
import fc from 'fast-check';
import t from 'tap';
import { type Aged, expired } from '../../src/engine/versions/retention.ts';
import type { VersionKind } from '../../src/model/resources/version.ts';
import { seed } from '../support/tier.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const began = Date.parse('2026-01-01T00:00:00Z');

/** Minutes between two versions: close together, hours, or days. */
const gap = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 10, max: 600 }), fc.integer({ min: 600, max: 20_000 }));
const kind = fc.constantFrom<VersionKind>('automatic', 'automatic', 'automatic', 'before-restore', 'named', 'published');
const history = fc.array(fc.tuple(gap, kind), { minLength: 1, maxLength: 60 });

/** Versions in the order in which they were made. */
function versionsOf(steps: readonly (readonly [number, VersionKind])[]): Aged[] {
  let time = began;
  return steps.map(([minutes, kind], i) => {
    time += minutes * minuteMs;
    return { id: `${i}`, kind, created: new Date(time).toISOString() };
  });
}

const timeOf = ({ created }: Aged): number => Date.parse(created);

/** Those that are left at a time. */
function left(versions: readonly Aged[], now: number): Aged[] {
  const gone = new Set(expired(versions, now));
  return versions.filter(({ id }) => !gone.has(id));
}

/** The promise: of the versions of a table's row, each period of UTC in which there was one still has one. */
const rows = [
  { fromMs: hourMs, upToMs: dayMs, periodMs: hourMs },
  { fromMs: dayMs, upToMs: 30 * dayMs, periodMs: dayMs },
  { fromMs: 30 * dayMs, upToMs: 365 * dayMs, periodMs: 7 * dayMs },
];

function fault(versions: readonly Aged[], now: number): string | undefined {
  const kept = left(versions, now);
  const isKept = new Set(kept.map(({ id }) => id));
  for (const version of versions) {
    const age = now - timeOf(version);
    const mustStay = version.kind === 'named' || age <= hourMs || (version.kind === 'before-restore' && age < 30 * dayMs);
    if (mustStay && !isKept.has(version.id)) return `version ${version.id} is gone at ${age / hourMs} h`;
    if (version.kind !== 'named' && version.kind !== 'published' && age > 365 * dayMs && isKept.has(version.id))
      return `version ${version.id} is kept for ever`;
  }
  const automatic = (all: readonly Aged[], { fromMs, upToMs }: (typeof rows)[number]) =>
    all.filter((each) => each.kind === 'automatic' && now - timeOf(each) > fromMs && now - timeOf(each) <= upToMs);
  for (const row of rows) {
    const periods = (all: readonly Aged[]) => all.map((each) => Math.floor(timeOf(each) / row.periodMs));
    const [wanted, found] = [new Set(periods(automatic(versions, row))), periods(automatic(kept, row))];
    if (found.length !== new Set(found).size) return `a period of ${row.periodMs / hourMs} h has two versions`;
    // A version from before a restore may stand for the period once it is thinned out, too.
    const standing = new Set([...found, ...periods(kept.filter(({ kind }) => kind === 'before-restore'))]);
    for (const period of wanted) if (!standing.has(period)) return `a period of ${row.periodMs / hourMs} h has none`;
  }
  return undefined;
}

t.test('of each period one version is left, and what must stay stays', async (t) => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 400 * 24 * 60 }), (steps, later) => {
      const versions = versionsOf(steps);
      const now = timeOf(versions.at(-1) as Aged) + later * minuteMs;
      const found = fault(versions, now);
      if (found !== undefined) throw new Error(found);
    }),
    { numRuns: 300, seed },
  );
  t.pass();
});

t.test('versions that were thinned out at each change are those that are thinned out once', async (t) => {
  fc.assert(
    fc.property(history, (steps) => {
      const versions = versionsOf(steps);
      const now = timeOf(versions.at(-1) as Aged);
      let kept: Aged[] = [];
      for (const version of versions) kept = left([...kept, version], timeOf(version));
      const ids = (all: readonly Aged[]): string => all.map(({ id }) => id).join();
      if (ids(left(kept, now)) !== ids(left(versions, now))) throw new Error(`${ids(kept)}, not ${ids(left(versions, now))}`);
    }),
    { numRuns: 300, seed },
  );
  t.pass();
});
