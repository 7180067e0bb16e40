// tier: normal, process: shared
/** Simplification of files with too many corners. */
import t from 'tap';
import { simplifyCorners } from '../../src/web/convert/place/simplify-corners.ts';
import { collection, convertText, feature, polygon, sheet } from './support.ts';

type Corner = { readonly x: number; readonly y: number };

/** A wavy line of corners between two places. */
const wave = (x: number, y: number, dx: number, dy: number, count: number): number[][] =>
  Array.from({ length: count }, (_, i) => {
    const share = i / count;
    const bend = 0.01 * Math.sin(i / 7) + 0.002 * Math.sin(i * 1.7);
    return [x + dx * share + (dx === 0 ? bend : 0), y + dy * share + (dy === 0 ? bend : 0)];
  });

/** Districts in a grid; neighbours have the same corners along their border. */
function grid(size: number, count: number): object {
  const across = (i: number, j: number) => wave(i, j, 1, 0, count);
  const down = (i: number, j: number) => wave(i, j, 0, 1, count);
  const features = [];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const back = (line: number[][], end: number[]) => [end, ...line.slice(1).reverse()];
      const ring = [
        ...across(i, j),
        ...down(i + 1, j),
        ...back(across(i, j + 1), [i + 1, j + 1]),
        ...back(down(i, j), [i, j + 1]),
      ];
      // The corners of a wave begin at its bend: all lines share the exact crossings.
      features.push(feature(polygon([...ring, ring[0] as number[]]), { name: `${i}/${j}` }));
    }
  return collection(...features);
}

t.test('more than 50,000 corners are simplified, shared borders alike, and the report says by how much', async (t) => {
  const conversion = await convertText(grid(5, 700), { artboard: sheet });
  const { simplified } = conversion.report;
  t.ok((simplified?.before ?? 0) > 60_000);
  t.ok((simplified?.after ?? Number.POSITIVE_INFINITY) <= 50_000);
  t.ok((simplified?.after ?? 0) > 40_000, 'not by more than needed');
  t.equal(conversion.objects.length, 25);
  const corners = conversion.objects.map(({ body }) => new Set((body['coords'] as Corner[]).map(({ x, y }) => `${x} ${y}`)));
  const counts = new Map<string, number>();
  for (const set of corners) for (const corner of set) counts.set(corner, (counts.get(corner) ?? 0) + 1);
  // Inside of a border each remaining corner belongs to both neighbours.
  const [left, right] = [corners[0] as Set<string>, corners[5] as Set<string>];
  const border = [...left].filter((corner) => right.has(corner));
  t.ok(border.length > 100, `${border.length} corners of the border are in both`);
  const betweenX = border.map((corner) => Number(corner.split(' ')[0]));
  const [least, most] = [Math.min(...betweenX), Math.max(...betweenX)];
  const isNear = (corner: string): boolean => {
    const [x = 0, y = 0] = corner.split(' ').map(Number);
    const ys = border.map((each) => Number(each.split(' ')[1]));
    return x >= least && x <= most && y > Math.min(...ys) + 5 && y < Math.max(...ys) - 5;
  };
  t.same(
    [...left].filter(isNear).filter((corner) => !right.has(corner)),
    [],
    'no corner of the border is in one only',
  );
});

t.test('a file below the limit and a small polygon of a large file keep their shape', async (t) => {
  t.equal((await convertText(grid(2, 100), { artboard: sheet })).report.simplified, undefined);
  const round = Array.from({ length: 60_000 }, (_, i) => [
    Math.cos((i / 30_000) * Math.PI) * 10,
    Math.sin((i / 30_000) * Math.PI) * 10,
  ]);
  const tiny = [
    [20, 0],
    [20.0001, 0],
    [20.0001, 0.0001],
    [20, 0.0001],
    [20, 0],
  ];
  const conversion = await convertText(collection(feature(polygon([...round, round[0] as number[]])), feature(polygon(tiny))), {
    artboard: sheet,
  });
  const [, small] = conversion.objects;
  t.ok(((small?.body['coords'] ?? []) as Corner[]).length >= 3, 'the small one does not vanish');
});

t.test('holes and lines lose corners, too: a hole keeps three, a line its ends', async (t) => {
  const circle = (x: number, y: number, radius: number, count: number) =>
    Array.from({ length: count + 1 }, (_, i) => {
      const angle = ((i % count) / count) * 2 * Math.PI;
      return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius];
    });
  const track = Array.from({ length: 30_000 }, (_, i) => [i / 100, 200 + Math.sin(i / 500) * 9]);
  const loop = circle(400, 0, 0.001, 6000);
  const conversion = await convertText(
    collection(
      feature(polygon(circle(0, 0, 100, 20_000), circle(0, 0, 50, 20_000), circle(70, 0, 0.001, 2000)), { name: 'a' }),
      feature({ type: 'LineString', coordinates: track }, { name: 'b' }),
      feature({ type: 'LineString', coordinates: loop }, { name: 'c' }),
    ),
    { artboard: sheet, placement: 'pixels' },
  );
  const [area, line, small] = conversion.objects.map(({ body }) => body as { coords: Corner[]; holes: Corner[][] });
  const lengths = [area?.coords, ...(area?.holes ?? []), line?.coords, small?.coords].map((corners) => corners?.length ?? 0);
  t.same(conversion.report.simplified, { before: 78_001, after: lengths.reduce((sum, length) => sum + length, 0) });
  t.ok((conversion.report.simplified?.after ?? 0) <= 50_000);
  t.ok(lengths.every((length) => length >= 3) && lengths.length === 5, lengths.join(' '));
  t.same([line?.coords[0], line?.coords.at(-1)?.x], [{ x: 0, y: 200 }, 299.99]);
  t.same(small?.coords[0], small?.coords.at(-1), 'a loop stays closed');
});

t.test('corners that change no area are removed first, and few tries are made', async (t) => {
  // A line that ends in a wave, and many small polygons that keep their corners.
  const line = Array.from({ length: 120_000 }, (_, i) => ({ x: i, y: i < 110_000 ? 0 : i % 3 }));
  const small = (at: number) => [0, 1, 2, 3, 4].map((i) => ({ x: at * 9 + Math.cos(i * 1.2), y: 99 + Math.sin(i * 1.2) }));
  for (const [most, ...rings] of [
    [50_000, line],
    [45_000, ...Array.from({ length: 15_000 }, (_, i) => small(i))],
  ] as const) {
    let turns = 0;
    const slices = {
      next: async () => {
        turns++;
      },
    };
    const shapes = (rings as Corner[][]).map((corners) => ({ kind: 'poly', corners, holes: [] }));
    const { simplified } = await simplifyCorners([{ item: { at: 'row 1' }, shapes }] as never, slices as never);
    t.ok((simplified?.after ?? Number.POSITIVE_INFINITY) <= most + 5000, JSON.stringify(simplified));
    t.ok((simplified?.after ?? 0) >= 3);
    t.ok(turns < 12, `${turns} turns`);
  }
});
